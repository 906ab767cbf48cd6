"""Completion on Tab: what is offered where, in which shell, how it is quoted; and that nothing else is ever said."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.commands.completion.answer import MOST, complete_for_shell, split_command_line, unescape_word, written_on
from aptdb.commands.completion.describe_commands import ARGUMENTS, OF_COMMANDS, shape_of
from aptdb.commands.completion.install import SHELLS, install_completion
from aptdb.commands.completion.shape import Shape
from aptdb.core.phrase import Phrase, find_unfinished_word
from aptdb.store import open_files
from support.app import app
from support.cases import read_cases
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import copied, lexicon_of
from support.processes import PROGRAM
from support.runs import examples

BREAKS = " \t\n\"'@><=;|&(:"  # where Bash breaks words, if nobody says otherwise
WORDS = st.text(st.sampled_from("ab/:=@'\"\\[]<$` é静"), min_size=1, max_size=8)
# Lexemes that a shell or a terminal could obey.
ODD = dict.fromkeys(("$(touch own)", "`touch own`", "o'clock", "two words", 'say"so', "a:b", "\x1b[31mred"), "NOUN")


@pytest.fixture(scope="module")
def demo(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a lexicon of the demo, with a subcorpus, a weighting and an entry; and of one of odd lexemes."""
    folder = tmp_path_factory.mktemp("demo")
    copied(demo, folder / "demo.duckdb")
    open_files.record_verified(folder / "demo.duckdb")
    with Lexicon.open(folder / "demo.duckdb") as lexicon:
        lexicon.subcorpus("fiction", "corpus = 'demo'")
        lexicon.weigh("strict", shift=5)
        lexicon.save("green_shoot", "shoot/NOUN[amod green/ADJ]")
    rows = "".join(f"1\t{lemma}\t{lemma}\t{pos}\t_\t_\t0\troot\t_\t_\n\n" for lemma, pos in ODD.items())
    lexicon_of(folder / "odd.duckdb", {"odd": rows.encode()})
    return folder


@pytest.fixture(scope="module")
def shape() -> Shape:
    """The shape of the command line."""
    return shape_of(typer.main.get_command(app), "")


@pytest.fixture
def inside(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the demo is that of the command."""
    monkeypatch.chdir(demo)
    monkeypatch.setenv("_APTDB_BREAKS", BREAKS)


def offered(shape: Shape, line: str, shell: str = "bash") -> tuple[str, list[str]]:
    """What is offered at the end of a line: what to do with the values, and these."""
    words = [line] if shell == "bash" else [each.raw for each in split_command_line(line)]
    first, *lines = complete_for_shell(f"complete_{shell}", words, lambda: shape).splitlines()
    return first, [each.split("\t")[0] for each in lines]


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(*read_cases("commands/offered"))
def test_what_is_offered(shape: Shape, line: str, some: list[str]) -> None:
    what, values = offered(shape, line)
    assert what == "values"
    assert set(some) <= set(values)
    assert len(values) <= max(len(some), 8)


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(*read_cases("commands/files_of_the_shell"))
def test_files_are_looked_for_by_the_shell(shape: Shape, line: str, files: str) -> None:
    assert offered(shape, line) == (files, [])


@pytest.mark.usefixtures("inside")
def test_a_lexicon_that_the_environment_names(shape: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APTDB_LEXICON", "demo.duckdb")
    assert offered(shape, "aptdb neighbours shoot/") == ("values", ["shoot/NOUN"])
    assert offered(shape, "aptdb similarity shoot/NOUN shoot/") == ("values", ["shoot/NOUN"])
    assert offered(shape, "aptdb apt demo.du") == ("files", [])
    assert offered(shape, "aptdb apt odd.duckdb a") == ("values", ["a:b/NOUN"])


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize("begin", ["", "s", "sh", "w", "the/", "zzz"])
def test_lexemes_are_the_most_frequent_that_begin_so(shape: Shape, demo: Path, begin: str) -> None:
    """What all that are offered begin with is what all that match begin with: a shell types it at once."""
    with Lexicon.open(demo / "demo.duckdb") as lexicon:
        known = lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows
    matching = sorted((-count, name) for name, count in known if name.startswith(begin))
    matching += [(0, "green_shoot")] if "green_shoot".startswith(begin) else []
    _, found = offered(shape, f"aptdb apt demo.duckdb {begin}", "zsh")
    assert found[: min(MOST, len(matching))][:20] == [name for _, name in matching][:20]
    assert len(found) <= MOST + 2
    assert beginning(found) == beginning([name for _, name in matching])


def beginning(names: list[str]) -> str:
    """What all of some names begin with."""
    first, last = min(names, default=""), max(names, default="")
    return next((first[:size] for size in range(len(first), 0, -1) if last.startswith(first[:size])), "")


@pytest.mark.usefixtures("inside")
def test_phrases_that_are_offered_were_seen(shape: Shape, demo: Path) -> None:
    _, found = offered(shape, "aptdb apt demo.duckdb 'shoot/NOUN[amod ")
    with Lexicon.open(demo / "demo.duckdb") as lexicon:
        for text in found:
            ((relation, dependent),) = Phrase.parse(text).dependents
            assert lexicon.count("shoot/NOUN", f">{relation}", dependent.lexeme) > 0
    what, relations = offered(shape, "aptdb apt demo.duckdb 'shoot/NOUN[", "zsh")
    assert what == "open"
    assert "shoot/NOUN[amod " in relations


@examples(200)
@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_words_are_those_of_a_shell(words: list[str], data: st.DataObject) -> None:
    """The twin is Python's own shlex, which reads no word that is not finished."""
    line = " ".join(shlex.quote(each) for each in words)
    assert [each.text for each in split_command_line(line)] == shlex.split(line) == words
    assert split_command_line(f"{line} ")[-1].text == ""
    assert unescape_word(shlex.quote(words[0])) == words[0]


def typed(text: str, quote: str) -> str:
    """A text as somebody types it who has not closed the quotation mark."""
    if quote == "'":
        return "'" + text.replace("'", "'\\''")
    if quote == '"':
        return '"' + re.sub(r'(["\\$`])', r"\\\1", text)
    return re.sub(r"([^a-z/:=@é静])", r"\\\1", text)


@examples(300)
@given(WORDS, st.integers(0, 8), st.sampled_from(["", "'", '"']))
def test_what_bash_types_stands_for_the_value(value: str, size: int, quote: str) -> None:
    """Bash replaces what follows the open quote, or the last place where it breaks words; then it closes the quote."""
    word = split_command_line(f"aptdb {typed(value[:size], quote)}")[-1]
    assert word.text == value[:size]
    replaced = written_on(word, value, BREAKS)
    kept = word.raw[: word.opened + 1] if word.quote else ""
    if not word.quote:
        places = [place for place in word.bare if word.raw[place] in BREAKS]
        kept = word.raw[: max(places) + 1] if places else ""
    expected = re.sub(r"([$`])", r"\\\1", value) if quote == '"' else value  # there shlex leaves the backslash of both
    assert shlex.split(kept + replaced + word.quote) == [expected]


@pytest.mark.parametrize(*read_cases("commands/unfinished_phrases"))
def test_a_phrase_that_is_not_finished(
    text: str, before: str, head: str | None, relation: str | None, depth: int
) -> None:
    found = find_unfinished_word(text)
    assert (found.before, found.head, found.relation, found.depth) == (before, head, relation, depth)
    assert found.before + found.typed == text


def said(folder: Path, *words: str, shell: str = "bash") -> subprocess.CompletedProcess[bytes]:
    """What a shell that asks is told by the program itself."""
    environment = {**os.environ, "_APTDB_COMPLETE": f"complete_{shell}"}
    return subprocess.run([*PROGRAM, *words], cwd=folder, env=environment, capture_output=True, check=False)


@pytest.mark.thorough
def test_nothing_is_said_where_nothing_can_be(tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text(DOGS, encoding="utf-8")
    (tmp_path / "empty.duckdb").touch()
    os.mkfifo(tmp_path / "pipe")
    for file in ("none.duckdb", "text.duckdb", "empty.duckdb", "pipe", "."):
        told = said(tmp_path, f"aptdb neighbours {file} do")
        assert (told.returncode, told.stdout, told.stderr) == (0, b"", b""), file
    for line in ("", "aptdb", "aptdb nosuch x", "aptdb apt x --nosuch=", "'", "aptdb '"):
        told = said(tmp_path, line)
        assert (told.returncode, told.stderr) == (0, b"")
    assert said(tmp_path, "x", "apt", "x", shell="nosuch").stderr == b""
    assert {each.name for each in tmp_path.iterdir()} == {"text.duckdb", "empty.duckdb", "pipe"}


@pytest.mark.thorough
def test_a_tab_imports_no_commands(demo: Path) -> None:
    """Once their shape is remembered; that would take longer than all the rest."""
    environment = {**os.environ, "_APTDB_COMPLETE": "complete_bash"}
    asked = [*PROGRAM[:1], "-X", "importtime", *PROGRAM[1:], "aptdb apt demo.duckdb shoot/"]
    for _ in range(2):
        told = subprocess.run(asked, cwd=demo, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[1].startswith("shoot/NOUN\t")
    assert "duckdb" in told.stderr
    assert not {"typer", "sqlalchemy", "rich", "aptdb.commands.app"} & {*re.split(r"[\s|]+", told.stderr)}


def test_every_argument_says_what_it_takes(shape: Shape) -> None:
    """One that is not in the tables of aptdb/commands/completion/describe_commands.py would complete to nothing."""

    def check(name: str, each: Shape) -> None:
        for part in each["arguments"]:
            assert part["name"] in ARGUMENTS or (name, part["name"]) in OF_COMMANDS, (name, part["name"])
        for below, other in each["commands"].items():
            check(below, other)

    check("", shape)


@pytest.mark.usefixtures("inside")
def test_what_a_shell_or_a_terminal_could_obey(shape: Shape) -> None:
    _, found = offered(shape, "aptdb apt odd.duckdb ")
    assert not any("\x1b" in each for each in found)
    assert sorted(shlex.split(" ".join(found))) == sorted(f"{name}/NOUN" for name in ODD if "\x1b" not in name)


def test_installing_twice_is_installing_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".bashrc").write_text("alias x=y", encoding="utf-8")
    for shell, profile in (("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", None)):
        assert f"completion for {shell} is in {tmp_path}" in install_completion(shell)
        before = {file: file.read_text() for file in tmp_path.rglob("*") if file.is_file()}
        assert "reads it" not in install_completion(shell)
        assert before == {file: file.read_text() for file in tmp_path.rglob("*") if file.is_file()}
        assert profile is None or "aptdb" in before[tmp_path / profile]
    assert (tmp_path / ".bashrc").read_text().startswith("alias x=y\n# Completion of aptdb\n")


@pytest.mark.thorough
def test_which_shell() -> None:
    for shell in SHELLS:
        assert "_APTDB_COMPLETE" in ask("--show-completion", shell).stdout


SHELL_COMMANDS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
READS = {"bash": "source {0}", "zsh": "source {0}", "fish": "source {0}"}


@pytest.fixture
def home(demo: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder with a program aptdb, which a shell can find."""
    program = tmp_path / "bin" / "aptdb"
    program.parent.mkdir()
    lines = ["#!/bin/sh", f"cd {shlex.quote(str(demo))}", f'exec {shlex.join(PROGRAM)} "$@"', ""]
    program.write_text("\n".join(lines), encoding="utf-8")
    program.chmod(0o755)
    yield tmp_path
    assert not (demo / "own").exists()
    assert not (tmp_path / "own").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("shell", [*SHELL_COMMANDS])
@pytest.mark.parametrize(*read_cases("commands/in_a_shell"))
def test_in_a_shell(home: Path, shell: str, line: str, whole: str) -> None:
    """A Tab in a shell of its own types the rest of what is the only one."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (home / "script").write_text(ask("--show-completion", shell).stdout, encoding="utf-8")
    environment = {
        **os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "HOME": str(home), "TERM": "xterm", "PS1": "> ",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home)
        os.execvpe(SHELL_COMMANDS[shell][0], SHELL_COMMANDS[shell], environment)
    seen = after(terminal, f" {READS[shell].format(home / 'script')}; clear; echo re''ady\n", "ready")
    seen = after(terminal, f"aptdb {line}\t", None)
    os.write(terminal, b"\x03\x04")
    os.close(terminal)
    os.waitpid(child, 0)
    assert whole in plain(seen), seen


def plain(text: str) -> str:
    """What is left of what a terminal is told, without what it obeys; fish types a line anew where it changes."""
    return re.sub(r"\x1b(\[[0-9;?>]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\)|[=>(][0-9A-B]?)|[\r\x08\x07]", "", text)


def after(terminal: int, keys: str, awaited: str | None) -> str:
    """What a terminal shows after some keys: until something is there, or nothing more comes."""
    os.write(terminal, keys.encode())
    written, quiet = "", time.monotonic() + 6
    os.set_blocking(terminal, False)
    while time.monotonic() < quiet and not (awaited and awaited in written):
        try:
            written += os.read(terminal, 65536).decode(errors="replace")
        except BlockingIOError:
            time.sleep(0.05)
        except OSError:
            break
    return written
