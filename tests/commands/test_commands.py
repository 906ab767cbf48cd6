"""The command line: what it writes where, in which form, with which status; and that every help shows what works."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from aptdb.commands import FAMILIES, app_of
from aptdb.commands.output import AnswerFormat
from support.app import app
from support.cases import read_table, read_values
from support.commands import ask
from support.corpora import TREES, tree
from support.counts_folder import counts_folder
from support.lexicons import copied
from support.parsers import write_spacy
from support.storage import exported
from twins.trees import conllu

COMMANDS = read_values("commands/names")

# Sentences with the words of some examples.
WIDER = [
    tree("car car NOUN 2 compound, park park NOUN 0 root"),
    tree("small small ADJ 2 amod, animal animal NOUN 0 root"),
    tree("dogs dog NOUN 2 nsubj, chase chase VERB 0 root, cats cat NOUN 2 obj"),
]
BEGINNINGS = [
    tree(f"dogs dog NOUN 2 nsubj, {verb} {verb} VERB 0 root, chasing chase VERB 2 xcomp, cats cat NOUN 3 obj")
    for verb in ("start", "begin")
]
# A second lexicon, of each that needs it.
OTHERS = {"add": "more.duckdb", "sql": "other.duckdb", "keyness": "german.duckdb", "serve": "german.duckdb"}


def test_names_of_options_are_in_lower_case() -> None:
    """Typer before 0.28 takes what stands for the value (--scheme SCHEME) for the name where no other is given."""
    commands, names = [get_command(app)], list[str]()
    while commands:
        for command in getattr(commands.pop(), "commands", {}).values():
            commands.append(command)
            names += [each for option in command.params for each in option.opts if each.startswith("--")]
    assert len(names) > 500
    assert [each for each in names if each != each.lower()] == []


@pytest.fixture
def folder(tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that help texts name."""
    monkeypatch.chdir(tmp_path)
    texts = {
        **read_table("commands/files"),
        "en_ewt.conllu": conllu(TREES),
        "en_gum.conllu.gz": f"# newdoc id = GUM_fiction_one\n{conllu(TREES[:2])}",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "more.conllu").write_text(conllu(TREES[2:4]), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lexicon that help texts name, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "en_ewt.conllu").write_text(conllu(TREES), encoding="utf-8")
    assert ask("add", folder / "english.duckdb", folder / "en_ewt.conllu").exit_code == 0
    return folder / "english.duckdb"


@pytest.fixture
def lexicon(made: Path, folder: Path) -> Path:
    """The lexicon that help texts name."""
    return copied(made, folder)


NEED_ALIKE = (  # commands whose examples need the same to be added
    ("trend", "keyness"), ("compositionality", "fill", "explain"), ("apt", "export", "eval choose", "refresh"),
)  # fmt: skip


def add_what_is_needed(command: str, made: Path) -> None:
    """Add to english.duckdb what the examples of a command need; a copy is kept for others that need the same."""
    alike = next((each for each in NEED_ALIKE if command in each), None)
    kept = made.with_name(f"{alike}.duckdb")
    if alike and kept.exists():
        copied(kept, Path("english.duckdb"))
        return
    add_what_is_asked_for(command)
    if alike:
        copied(Path("english.duckdb"), kept)


def add_what_is_asked_for(command: str) -> None:
    """Add to english.duckdb what the examples of a command need."""
    if command == "remove":
        assert ask("add", "english.duckdb", "en_gum.conllu.gz").exit_code == 0
    if command in NEED_ALIKE[0]:
        said = ("--tag", "year=1999", "--tag", "genre=fiction")
        Path("beginnings.conllu").write_text(conllu(BEGINNINGS), encoding="utf-8")
        assert ask("add", "english.duckdb", "en_gum.conllu.gz", "beginnings.conllu", *said).exit_code == 0
        assert ask("subcorpus", "english.duckdb", "fiction", "--where", "genre = 'fiction'").exit_code == 0
    if command in NEED_ALIKE[1]:
        Path("wider.conllu").write_text(conllu(WIDER), encoding="utf-8")
        assert ask("add", "english.duckdb", "wider.conllu").exit_code == 0
    if command == "migrate":
        exported(Path("english.duckdb"), Path("folder"))
    if command in NEED_ALIKE[2]:
        small = ("--shift", "1", "--min-frequency", "1", "--min-feature-count", "1", "--dimensions", "4")
        assert ask("reduce", "english.duckdb", "words", *small).exit_code == 0
    if command == "forget":
        assert ask("weigh", "english.duckdb", "words").exit_code == 0
        assert ask("subcorpus", "english.duckdb", "year_1999", "--where", "corpus = 'en_ewt.conllu'").exit_code == 0


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example_that_works(
    folder: Path, made: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ask(*command.split(), "--help").output
    examples = [line.strip() for line in shown.splitlines() if line.startswith("    aptdb ") or "  aptdb " in line[:8]]
    assert examples
    if command not in {"add", "demo", "parse"}:
        copied(made, folder)
    add_what_is_needed(command, made)
    if command == "add":
        counts_folder(made, folder / "COUNTS")
    if command == "serve":
        monkeypatch.setattr("aptdb.explorer.serve.answer_at_socket", lambda *_: None)  # tests of the explorer do so
    monkeypatch.setattr("aptdb.explorer.tool_server.need_mcp", lambda: None)
    monkeypatch.setattr("aptdb.explorer.tool_server.serve_box", lambda *_: None)
    if command in OTHERS:
        assert ask("add", OTHERS[command], "corpora").exit_code == 0
    if command == "parse":
        (folder / "story.txt").write_text("The small dog sees cats.\n", encoding="utf-8")
        (folder / "tokens.txt").write_text("The small dog sees cats .\n", encoding="utf-8")
        write_spacy(folder / "en_core_web_sm")
    for example in examples:
        piped = None
        for part in re.sub(r" > \S+$", "", example).split(" | "):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore" if command == "parse" else "error")
                answer = ask(*shlex.split(part)[1:], source=piped)
            assert answer.exit_code == 0, f"{part}: {answer.output}"
            piped = answer.stdout


@pytest.mark.thorough
def test_every_command_has_help_and_a_line_in_the_list() -> None:
    for command in COMMANDS:
        *group, name = command.split()
        line = re.search(rf"^  {name} +(.*)$", ask(*group, "--help").output, re.MULTILINE)
        assert line
        assert not line[1].endswith("...")
        assert "Example" in ask(*command.split(), "--help").output


@pytest.mark.thorough
def test_add_tells_what_went_in(folder: Path) -> None:
    added = ask("add", "l.duckdb", "en_ewt.conllu", "en_gum.conllu.gz", "--order", "1", "--exclude-upos", "PUNCT,X")
    assert added.stdout == "corpus\tsentences\ttokens\nen_ewt.conllu\t5\t12\nen_gum.conllu.gz\t2\t6\n"
    info = dict(line.split("\t", 1) for line in ask("info", "l.duckdb").stdout.splitlines())
    assert info["order"] == "1"
    assert info["exclude-upos"] == "PUNCT,X"
    assert info["tokens"] == "18"
    assert ask("sql", "l.duckdb", "SELECT count(*) FROM lexemes WHERE pos IN ('PUNCT', 'X')").stdout.endswith("\n0\n")


@pytest.mark.thorough
def test_add_from_standard_input(folder: Path) -> None:
    added = ask("add", "l.duckdb", "-", "--name", "piped", source=conllu(TREES))
    assert added.stdout.splitlines()[1] == "piped\t5\t12"
    assert ask("add", "l.duckdb", "-", source=conllu(TREES[:1])).stdout.splitlines()[1] == "stdin\t1\t4"


@pytest.mark.thorough
def test_the_first_file_that_fails_stops_and_those_before_it_stay(folder: Path) -> None:
    (folder / "bad.conllu").write_text("1\tx\n", encoding="utf-8")
    answer = ask("add", "l.duckdb", "en_ewt.conllu", "bad.conllu", "en_gum.conllu.gz")
    assert answer.exit_code == 1
    assert "bad.conllu:1: 2 columns; a line has 10" in answer.stderr
    assert "added en_ewt.conllu; then:" in answer.stderr
    assert ask("sql", "l.duckdb", "SELECT sum(frequency)::BIGINT AS n FROM lexemes").stdout == "n\n12\n"


@pytest.mark.thorough
def test_formats(lexicon: Path) -> None:
    question = ("sql", lexicon, "SELECT lexeme, frequency, NULL AS nothing FROM lexemes ORDER BY lexeme LIMIT 2")
    written = {form: ask(*question, "--format", form.value).stdout for form in AnswerFormat}
    rows = [
        {"lexeme": '"/PUNCT', "frequency": 1, "nothing": None},
        {"lexeme": "[brown]/X", "frequency": 1, "nothing": None},
    ]
    assert json.loads(written[AnswerFormat.json]) == rows
    assert [json.loads(line) for line in written[AnswerFormat.jsonl].splitlines()] == rows
    assert [*csv.reader(io.StringIO(written[AnswerFormat.csv]))] == [
        ["lexeme", "frequency", "nothing"], ['"/PUNCT', "1", ""], ["[brown]/X", "1", ""],
    ]  # fmt: skip
    assert written[AnswerFormat.tsv] == 'lexeme\tfrequency\tnothing\n"/PUNCT\t1\t\n[brown]/X\t1\t\n'
    assert "[brown]/X" in written[AnswerFormat.table]
    assert ask("sql", lexicon, "SELECT 1 AS a WHERE false", "--format", "json").stdout == "[]\n"
    assert ask("sql", lexicon, "SELECT 'a\tb\nc' AS a").stdout == "a\na\\tb\\nc\n"


@pytest.mark.thorough
def test_the_empty_path_is_epsilon_in_tables_only(lexicon: Path) -> None:
    assert " ε " in ask("apt", lexicon, "dog/NOUN", "--weights", "raw_count", "--format", "table").stdout
    assert "\n\tdog/NOUN\t2.0\n" in ask("apt", lexicon, "dog/NOUN", "--weights", "raw_count").stdout


@pytest.mark.thorough
def test_options_are_the_parameters_of_sql(lexicon: Path) -> None:
    phrase = "dog/NOUN[amod small/ADJ]"
    asked = ask(
        "neighbours", lexicon, phrase, "--merge", "min", "--shift", "1.5", "--set",
        "cds=0.75,cds-total=sum_of_powers, phi=harmonic", "--min-count", "1", "--min-feature-count", "1",
        "--max-order", "2", "--set", "aligned=no", "--anchor", "1", "--top", "3", "--pos", "any", "--min-frequency",
        "1", "--set", "scope=path,pipeline=compose-second", "--weights", "pmi",
    )  # fmt: skip
    words = "[{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'small/ADJ', 'delta': '<amod'}]"
    said = ask(
        "sql", lexicon,
        f"FROM neighbours({words}, merge := 'min', shift := 1.5, cds := 0.75, cds_total := 'sum_of_powers', "
        "min_count := 1, min_feature_count := 1, max_order := 2, phi := 'harmonic', aligned := false, anchor := 1, "
        "top := 3, pos := 'any', min_frequency := 1, weights := 'pmi')",
    )  # fmt: skip
    assert asked.exit_code == 0
    assert asked.stdout == said.stdout


@pytest.mark.sampled
@pytest.mark.parametrize("x", ['"/PUNCT', '"\\"/PUNCT"', '"\\""/PUNCT', "[brown]/X", '"[brown]"/X'])
def test_lexemes_of_odd_characters(lexicon: Path, x: str) -> None:
    assert ask("apt", lexicon, x).exit_code == 0


@pytest.mark.thorough
def test_a_question_from_standard_input(lexicon: Path) -> None:
    assert ask("sql", lexicon, "-", source="SELECT 1 AS one\n").stdout == "one\n1\n"


def test_help_starts_at_once() -> None:
    """Nothing heavy is imported for --help: neither DuckDB nor SQLAlchemy nor scipy."""
    code = (
        "import sys; from aptdb.__main__ import run; sys.argv = ['aptdb', '--help']\n"
        "try: run()\nexcept SystemExit: pass\n"
        "heavy = {'duckdb', 'sqlalchemy', 'numpy', 'scipy', 'alembic', 'pandas', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.thorough
def test_a_question_starts_soon(lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a lexicon that was looked at before, it imports neither SQLAlchemy, which only writing needs, nor numpy.

    Of the commands it imports its own family.
    """
    heavy = ["sqlalchemy.sql", "duckdb_engine", "numpy", "alembic", "pandas"]
    heavy += ["aptdb.commands.compare_corpora"]
    told = twice(monkeypatch, ["sketch", str(lexicon), "dog/NOUN"], heavy)
    assert told[0].stdout == told[1].stdout != ""
    assert "imported" not in told[1].stderr


@pytest.mark.thorough
def test_help_starts_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is remembered, as it was made at this width."""
    shown = set()
    for columns in ("60", "80", "133"):
        monkeypatch.setenv("COLUMNS", columns)
        told = twice(monkeypatch, ["--help"], ["typer", "aptdb.commands.app"])
        assert told[0].stdout == told[1].stdout
        assert max(map(len, told[0].stdout.splitlines())) < int(columns)
        assert told[1].stderr == ""
        shown.add(told[0].stdout)
    assert len(shown) == 3


def twice(patch: pytest.MonkeyPatch, words: list[str], heavy: list[str]) -> list[subprocess.CompletedProcess[str]]:
    """Run a command twice; standard error says at its end which heavy modules it imported."""
    code = (
        "import atexit, sys; from aptdb.__main__ import run; sys.argv = ['aptdb', *sys.argv[1:]]\n"
        "def say():\n"
        f"    if imported := {{*{heavy}}} & {{*sys.modules}}: print('imported:', imported, file=sys.stderr)\n"
        "atexit.register(say)\n"
        "run()"
    )
    patch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # what is cached does not depend on Python's compiled modules
    command = [sys.executable, "-c", code, *words]
    return [subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(2)]


def test_one_run_makes_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a family only the command that runs is made; all are where it is unknown, or one of a group."""
    everything = list(app.registered_commands)
    for asked in ("apt", "verify", "eval", "map", "aptx", "--help", None):
        monkeypatch.setattr(app, "registered_commands", everything)
        made = 1 if asked in COMMANDS else len(everything)
        assert len(app_of(asked).registered_commands) == made, asked


def test_families() -> None:
    """Each command is in the family that its module is, and in no other."""
    found: dict[str, list[str]] = {}
    for each in app.registered_commands:
        assert each.callback is not None
        name = each.name or each.callback.__name__.replace("_", "-")
        found.setdefault(each.callback.__module__.rpartition(".")[2], []).append(name)
    for group in app.registered_groups:
        assert group.typer_instance is not None
        modules = [str(each.callback.__module__) for each in group.typer_instance.registered_commands if each.callback]
        for module in dict.fromkeys(modules):
            found.setdefault(module.rpartition(".")[2], []).append(str(group.name))
    assert {family: sorted(commands) for family, commands in found.items()} == {
        family: sorted(commands) for family, commands in FAMILIES.items()
    }


@pytest.mark.thorough
def test_demo(folder: Path) -> None:
    shown = ask("demo", "--keep", "demo.duckdb")
    assert shown.exit_code == 0
    by_min = (
        shown.stdout.partition("Merged by min")[2].partition("─\n")[2] or shown.stdout.partition("Merged by min")[2]
    )
    first = [line.split() for line in by_min.splitlines() if len(line.split()) == 5][:5]
    assert {"leaf", "flower"} & {row[1] for row in first}
    assert {"show", "session", "tour", "concert", "rehearsal"} & {row[2] for row in first}
    assert not {"leaf", "flower"} & {row[2] for row in first}
    assert "aptdb add my.duckdb FILE.conllu" in shown.stdout
    assert ask("neighbours", "demo.duckdb", "shoot/NOUN[amod green/ADJ]", "--merge", "min").exit_code == 0


def everything(lexicon: str) -> list[str]:
    """All that a lexicon counts, and how often each lexeme comes."""
    counts = "SELECT lexeme, path, context, count FROM cooccurrences ORDER BY ALL"
    lexemes = "SELECT lexeme, lemma, pos, frequency FROM lexemes ORDER BY ALL"
    return [ask("sql", lexicon, query).stdout for query in (counts, lexemes)]


@pytest.mark.thorough
def test_the_corpus_of_the_demo_as_a_file(folder: Path) -> None:
    written = ask("demo", "--write", "demo.conllu")
    assert written.exit_code == 0
    assert written.stdout == ""
    assert written.stderr == "aptdb: demo.conllu is written; count it with: aptdb add demo.duckdb demo.conllu\n"
    assert ask(*shlex.split(written.stderr.partition(": aptdb ")[2])).exit_code == 0
    assert ask("demo", "--keep", "kept.duckdb").exit_code == 0
    assert len(everything("demo.duckdb")[0]) > 1_000_000
    assert everything("demo.duckdb") == everything("kept.duckdb")
    sizes = "SELECT count(DISTINCT path), count(*), sum(count) FROM cooccurrences"
    assert ask("sql", "demo.duckdb", sizes).stdout.endswith("\n265\t90803\t320852\n")  # the table of meaning.md 3.5
    assert ask("demo", "--write", "-").stdout == Path("demo.conllu").read_text(encoding="utf-8")
    assert "was added before" in ask("add", "kept.duckdb", "demo.conllu", "--name", "other").stderr


def test_the_corpus_of_the_demo_is_written_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[str]:
        yield "# sent_id = demo-1\n"
        raise KeyboardInterrupt

    monkeypatch.setattr("aptdb.corpus.demo_corpus.corpus", broken)
    assert ask("demo", "--write", "demo.conllu").exit_code == 130
    assert not [*folder.glob("demo*")]


@pytest.mark.thorough
def test_a_phrase_from_a_conllu_file(lexicon: Path) -> None:
    Path("small_dog.conllu").write_text(conllu([TREES[1]]), encoding="utf-8")
    from_file = ask("apt", lexicon, "@small_dog.conllu")
    assert from_file.exit_code == 0
    assert from_file.stdout == ask("apt", lexicon, "dog/NOUN[amod small/ADJ]").stdout
    assert "has 5 sentences; this question takes one" in ask("similarity", lexicon, "dog/NOUN", "@en_ewt.conllu").stderr
    each = ask("apt", lexicon, "@en_ewt.conllu").stdout.splitlines()
    assert each[0] == "phrase\tpath\tcontext\tweight"
    assert list(dict.fromkeys(line.split("\t")[0] for line in each[1:])) == [
        "creak/VERB[nsubj floor/NOUN[det a/DET, amod wooden/ADJ]]",
        "dog/NOUN[amod small/ADJ]",
        "cat/NOUN[amod small/ADJ]",
        "dog/NOUN[amod good/ADJ]",
        r""""[brown]"/X[punct "\""/PUNCT]""",
    ]


@pytest.mark.thorough
def test_phrases_of_many_kinds(lexicon: Path) -> None:
    one, other = "dog/NOUN[amod small/ADJ]", "floor/NOUN[amod wooden/ADJ]"
    both = ask("apt", lexicon, one, "--file", "-", "--per-path", "1", source=f"{other}\n\n")
    assert both.exit_code == 0
    alone = ask("apt", lexicon, other, "--per-path", "1").stdout.splitlines()[1:]
    assert [line for line in both.stdout.splitlines() if line.startswith(other)] == [f"{other}\t{row}" for row in alone]
    beside = ask("neighbours", lexicon, one, "--in-context", "--top", "2", "--min-frequency", "1").stdout.splitlines()
    assert beside[0] == "anchor\tword\talone\tsimilarity\tin_context\tsimilarity_there"
    assert {line.split("\t")[1] for line in beside[1:]} == {"dog/NOUN", "small/ADJ"}
    ranked = ask("fill", lexicon, "dog/NOUN[amod _/ADJ]", "--candidates", r'wooden/ADJ, small/ADJ,"\""/PUNCT')
    found = [line.split("\t")[0] for line in ranked.stdout.splitlines()[1:]]
    assert found[0] == "small/ADJ"
    assert set(found) == {"small/ADJ", "wooden/ADJ", '"/PUNCT'}


@pytest.mark.thorough
def test_sentences_of_one_tree_in_another_order(lexicon: Path) -> None:
    turned = [TREES[1][1]._replace(head=0), TREES[1][0]._replace(head=1)]
    Path("both.conllu").write_text(conllu([TREES[1], turned]), encoding="utf-8")
    rows = ask("neighbours", lexicon, "@both.conllu", "--anchor", "1", "--top", "1", "--min-frequency", "1").stdout
    assert [line.split("\t")[:2] for line in rows.splitlines()[1:]] == [
        ["dog/NOUN[amod small/ADJ]", "small/ADJ"],
        ["dog/NOUN[amod small/ADJ] (2)", "dog/NOUN"],
    ]


@pytest.mark.thorough
def test_entries_from_the_command_line(lexicon: Path) -> None:
    saved = ask("apt", lexicon, "dog/NOUN[amod small/ADJ]", "--merge", "max", "--save", "small_dog")
    assert saved.exit_code == 0
    assert saved.stdout == ""
    assert "small_dog is stored, with" in saved.stderr
    listed = ask("stored", lexicon, "entries").stdout.splitlines()[1].split("\t")
    assert listed[:3] == ["small_dog", "NOUN", "dog/NOUN[amod small/ADJ]"]
    assert (
        ask("apt", lexicon, "small_dog").stdout
        == ask("apt", lexicon, "dog/NOUN[amod small/ADJ]", "--merge", "max").stdout
    )
    ranked = ask("neighbours", lexicon, "dog/NOUN", "--among", "entries").stdout.splitlines()
    assert ranked[1].split("\t")[0] == "small_dog"
    assert ask("add", lexicon, "en_gum.conllu.gz").exit_code == 0
    assert "small_dog was composed before the lexicon last changed" in ask("apt", lexicon, "small_dog").stderr
    assert "made again: entries: small_dog" in ask("refresh", lexicon).stderr
    assert "nothing is stale" in ask("refresh", lexicon).stderr
    assert "small_dog is deleted" in ask("forget", lexicon, "small_dog").stderr


@pytest.mark.thorough
def test_counts_by_kind_for_people_are_headed_by_the_kind(plain: Path) -> None:
    """They have no empty column, nor one that repeats another; data have all. Typed words are read once."""
    heads = {
        asked: ask("counts-by", plain, *asked.split(), "--format", "markdown").stdout.splitlines()[0]
        for asked in ("dog/NOUN --by document", "dog/NOUN >amod", "dog/NOUN >amod small/ADJ")
    }
    beside = [re.findall(r"[a-z_]+", head) for head in heads.values()]
    of_all = ["count", "tokens", "per_million"]
    assert beside[:2] == [["document", *of_all], ["corpus", *of_all, "lexeme_count"]]
    assert beside[2] == ["corpus", *of_all, "lexeme_count", "context_count"]
    data = ask("counts-by", plain, "dog/NOUN", "--format", "csv").stdout
    assert data.startswith("value,count,tokens,per_million,lexeme_count,context_count\n")
    typed = ask("counts-by", plain, "dog", ">amod", "small")
    assert typed.stdout == ask("counts-by", plain, "dog/NOUN", ">amod", "small/ADJ").stdout != ""
    both = ask("counts-by", plain, "dog", "*", "dog").stderr
    assert both.count("dog → dog/NOUN") == 1


@pytest.mark.thorough
def test_verify_reports_what_is_wrong_in_corpora_and_adds_nothing(folder: Path) -> None:
    assert ask("verify", "en_ewt.conllu").exit_code == 0
    faulty = conllu(TREES) + "1\tx\n\n" + conllu([TREES[1]]).replace("\t2\tamod", "\t7\tamod")
    (folder / "bad.conllu").write_text(faulty, encoding="utf-8")
    answer = ask("verify", "bad.conllu")
    assert answer.exit_code == 1
    said = [tuple(line.split("\t")) for line in answer.stdout.splitlines()]
    assert ("bad.conllu", "sentences", "5") in said
    assert ("bad.conllu", "deepest tree", "2") in said
    assert ("bad.conllu", "relation amod", "4") in said
    assert [line[2].partition(";")[0] for line in said if line[1] == "fault"] == [
        "bad.conllu:18: 2 columns",
        "bad.conllu:20: HEAD is 7, but the sentence has 2 words",
    ]
    assert "2 faults; aptdb add --skip-invalid skips the sentences that have one" in answer.stderr
    assert not [*folder.glob("*.duckdb")]


@pytest.mark.thorough
def test_skipped_sentences_are_counted_and_written_down(folder: Path) -> None:
    faulty = conllu(TREES) + "# sent_id = x\n1\tx\n\n" + conllu([TREES[1]]).replace("\t2\tamod", "\t7\tamod")
    (folder / "bad.conllu").write_text(faulty, encoding="utf-8")
    answer = ask("add", "l.duckdb", "bad.conllu", "--skip-invalid", "--rejects", "r.conllu")
    assert answer.stdout == "corpus\tsentences\ttokens\tskipped\nbad.conllu\t5\t12\t2\n"
    assert "skipped 2 invalid sentences (HEAD 1, columns 1)" in answer.stderr
    rejects = (folder / "r.conllu").read_text(encoding="utf-8")
    assert rejects.startswith(
        "# bad.conllu:19: 2 columns; a line has 10, with tabs between them\n# sent_id = x\n1\tx\n\n"
    )
    assert ask("info", "l.duckdb", "--corpora", "--format", "json").stdout.count('"skipped": 2') == 1


@pytest.mark.thorough
def test_maps_and_lists_come_from_files(folder: Path) -> None:
    (folder / "tags.tsv").write_text("NOUN\tN\nVERB\tV\n", encoding="utf-8")
    (folder / "relations.tsv").write_text("amod\tmod\ndet\tmod\n", encoding="utf-8")
    (folder / "stop.txt").write_text("a\nsmall/ADJ\n", encoding="utf-8")
    options = ("--pos-map", "tags.tsv", "--relation-map", "relations.tsv", "--stop-list", "stop.txt")
    assert ask("add", "l.duckdb", "en_ewt.conllu", *options, "--exclude-relations", "punct").exit_code == 0
    lexemes = ask("sql", "l.duckdb", "SELECT lexeme FROM lexemes ORDER BY lexeme").stdout.split()[1:]
    assert lexemes == ['"/PUNCT', "[brown]/X", "cat/N", "creak/V", "dog/N", "floor/N", "good/ADJ", "wooden/ADJ"]
    paths = ask(
        "sql", "l.duckdb", "SELECT DISTINCT path FROM cooccurrences WHERE path > '' ORDER BY path"
    ).stdout.split()
    assert paths == ["path", "<mod", "<mod<nsubj", "<nsubj", ">mod", ">nsubj", ">nsubj>mod"]
    assert "NOUN→N,VERB→V" in ask("info", "l.duckdb").stdout
    (folder / "tags.tsv").write_text("NOUN N\n", encoding="utf-8")
    assert "tags.tsv:1: 'NOUN N'; expected a name, a tab" in ask("add", "m.duckdb", "en_ewt.conllu", *options).stderr
