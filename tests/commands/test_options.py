"""Options: what --help shows of a command's, what --set takes, and those of the program, which stand anywhere."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from aptdb.commands import app_for
from aptdb.commands.app import keys_of
from aptdb.commands.completion.shape import OF_PROGRAM, put_program_words_first
from aptdb.core.errors import QuestionError
from support.cases import read_values
from support.commands import ask
from support.lexicons import copied

COMMANDS = read_values("commands/names")
MOST_OPTIONS, MOST_LINES = 16, 45


def command_named(name: str) -> Any:
    """A command, or one in a group, by its names."""
    found = get_command(app_for())
    for each in name.split():
        found = found.commands[each]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_shows_what_its_examples_use(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = ask(*name.split(), "--help").stdout
    text, _, options = shown.partition("\nOptions:\n")
    names = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", options, re.MULTILINE)
    assert "--help-all" in names
    assert len(names) <= MOST_OPTIONS
    assert len(shown.splitlines()) <= MOST_LINES
    own = [line for line in text.splitlines() if line.startswith(f"    aptdb {name} ")]
    taken = set(re.findall(r" (--[a-z-]+)", " ".join(own))) - {"--set", "--wait"}
    assert taken <= {*names, *re.findall(r"/ (--[a-z-]+)", options)}


@pytest.mark.parametrize("name", COMMANDS)
def test_all_of_the_help_has_each_option_once(name: str) -> None:
    shown, command = ask(*name.split(), "--help-all").stdout, command_named(name)
    lines = re.findall(r"^  (?:-\w, )?(--[a-z-]+|\w+=)", shown.partition("Options:\n")[2], re.MULTILINE)
    own = [
        next(name for name in each.opts if name[:2] == "--")
        for each in command.params
        if each.param_type_name == "option"
    ]
    assert sorted(lines) == sorted([*own, *(f"{key}=" for key in keys_of(command)), *OF_PROGRAM, "--help"])


def test_what_is_rare_is_set(plain: Path, tmp_path: Path) -> None:
    lexicon = copied(plain, tmp_path)
    asked = ("neighbours", lexicon, "dog/NOUN[amod small/ADJ]")
    keys = "cds=0.75, unit=yes,head-weight=.4"
    weighed = ask(*asked, "--set", keys, "--set", "context=external").stdout
    assert weighed != ask(*asked).stdout
    query = (
        "FROM neighbours([{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'small/ADJ', 'delta': '<amod'}], "
        "cds := 0.75, unit := true, head_weight := .4, context := 'external')"
    )
    assert weighed == ask("sql", lexicon, query).stdout


def test_messages_know_the_keys_of_a_command_in_a_group(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise QuestionError("no answer with cds := 0.75, seed := 2")

    for module in ("experiment", "stored_commands"):
        monkeypatch.setattr(f"aptdb.commands.{module}.open_lexicon", refuse)
    said = "no answer with --set cds=0.75, --seed 2"
    assert said in ask("eval", "choose", plain, "questions.csv").stderr
    assert said.replace("--set cds=0.75", "--cds 0.75") in ask("stored", plain, "evaluations").stderr


def test_options_of_the_program_stand_anywhere(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("sql", plain, "SELECT current_setting('memory_limit') AS m")
    limited = ask("--memory", "500MB", *asked).stdout
    assert limited == ask(*asked, "--memory=500MB").stdout == ask(asked[0], "--memory", "500MB", *asked[1:]).stdout
    assert limited != ask(*asked).stdout
    assert ask("--lexicon", plain, "info").stdout == ask("info", plain).stdout
    monkeypatch.setenv("APTDB_WAIT", "soon")
    assert ask("info", plain).stderr.startswith("aptdb: wait is 'soon'; expected a number of seconds")
    assert ask("info", plain, "--wait", "0").exit_code == 0


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("apt l x --wait 3 --top 2", "--wait 3 apt l x --top 2"),
        ("apt --temp=t l -- --wait 3", "--temp=t apt l -- --wait 3"),
        ("", ""),
    ],
)
def test_options_of_the_program_come_first(line: str, moved: str) -> None:
    assert put_program_words_first(line.split()) == moved.split()
