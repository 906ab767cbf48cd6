"""Lexicons that earlier schemas left, kept in tests/old: refused with the mend, migrated, and used like any other."""

import json
import lzma
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from aptdb import Lexicon, LexiconError
from support.app import app
from support.clients import ask_file
from support.lexicons import make_lexicon
from support.processes import beside
from support.runs import draw_some, thorough

OLD = Path(__file__).parents[1] / "old"
sys.path.insert(0, str(OLD))

from make import SETTINGS, words_of  # noqa: E402

VERSIONS = sorted(SETTINGS)
# Questions that earlier schemas did not know, where a migrated lexicon has to answer as one does that is made today.
ASKED_TODAY = (
    "lexemes L", "sketch L dog/NOUN", "frames L dog/NOUN", "evidence L dog/NOUN", "apt L dog/NOUN --counts direct",
    "neighbours L dog/NOUN --counts direct", "explain L dog/NOUN cat/NOUN --entailment",
    "apt L clothes/NOUN[amod dry/ADJ] --observed",
)  # fmt: skip
NUMBER = re.compile(r"-?\d+\.\d+")
# What changes a lexicon takes a minute for some; each run draws others.
of_some_schemas = pytest.mark.parametrize("folder", thorough(draw_some(VERSIONS, 6, "changed schemas")), indirect=True)


@dataclass(frozen=True)
class Left:
    """What a schema left, in a folder of its own: old.duckdb as it was; migrated.duckdb; today.duckdb, made now."""

    version: str
    folder: Path

    def corpora(self) -> list[str]:
        """The files that went in."""
        return ["corpus.conllu", *(["counts.tsv"] if self.version >= "0004" else [])]

    def made(self, name: str, *corpora: str) -> str:
        """A lexicon that is made of files now, with the same settings."""
        for number, corpus in enumerate(corpora):
            settings = SETTINGS[self.version] if number == 0 else []
            aptdb(" ".join([f"add {name} {corpus} --name {corpus.replace('counts.tsv', 'counted')}", *settings]))
        return name


@pytest.fixture(scope="session")
def newest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The schema of a lexicon that is made today."""
    file = tmp_path_factory.mktemp("newest") / "new.duckdb"
    make_lexicon(file, OLD / "more.conllu")
    return str(ask_file(file, "FROM _store.alembic_version")[0][0])


@pytest.fixture(scope="module", params=[VERSIONS[0], *thorough(draw_some(VERSIONS[1:], 8, "schemas"))])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, newest: str) -> Left:
    """What a schema left, migrated and made anew, once for all tests."""
    left = Left(str(request.param), tmp_path_factory.mktemp(f"schema{request.param}"))
    for file in OLD.glob("*.[ct]*"):
        shutil.copy(file, left.folder)
    content = lzma.decompress((OLD / f"{left.version}.duckdb.xz").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(left.folder)
        Path("old.duckdb").write_bytes(content)
        Path("migrated.duckdb").write_bytes(content)
        came = "was up to date" if left.version == newest else f"came from schema {left.version}"
        assert came in aptdb("migrate migrated.duckdb", on="stderr")
        left.made("today.duckdb", *left.corpora())
    return left


@pytest.fixture
def left(folder: Left, monkeypatch: pytest.MonkeyPatch) -> Left:
    """The same, for a test that runs in its folder."""
    monkeypatch.chdir(folder.folder)
    return folder


def aptdb(line: str, on: str = "stdout") -> str:
    """What a command writes, which must succeed."""
    answer = CliRunner().invoke(app, words_of(line))
    assert answer.exit_code == 0, f"{line}: {answer.output}"
    return str(getattr(answer, on))


def contents(file: str) -> dict[str, set[tuple[object, ...]]]:
    """What a lexicon counts, and how it weighs that, as any client reads it."""
    with duckdb.connect(file, read_only=True) as client:
        return {name: set(client.execute(f"FROM {name}").fetchall()) for name in ("cooccurrences", "lexemes", "ppmi")}


def assert_same_contents(file: str, other: str) -> None:
    """Two lexicons count the same, and weigh it the same."""
    found, expected = contents(file), contents(other)
    assert found["cooccurrences"] == expected["cooccurrences"]
    assert found["lexemes"] == expected["lexemes"]
    weights, others = ({row[:3]: row[3] for row in each["ppmi"]} for each in (found, expected))
    assert weights == pytest.approx(others)


def assert_same_text(found: str, expected: str) -> None:
    """Two answers are the same, numbers to nine digits: earlier versions showed more of a similarity."""
    assert NUMBER.sub("#", found) == NUMBER.sub("#", expected)
    numbers = [*map(float, NUMBER.findall(found))]
    assert numbers == pytest.approx([*map(float, NUMBER.findall(expected))], abs=1e-9)


def test_there_is_a_lexicon_of_each_earlier_schema(newest: str) -> None:
    assert {f"{number:04}" for number in range(1, int(newest))} <= {*VERSIONS}
    assert [file.name for file in sorted(OLD.glob("*.xz"))] == [f"{version}.duckdb.xz" for version in VERSIONS]
    assert [file.name for file in sorted(OLD.glob("*.json"))] == [f"{version}.json" for version in VERSIONS]


@pytest.mark.thorough
def test_an_old_one_is_refused_with_what_mends_it(left: Left, newest: str) -> None:
    if left.version == newest:
        pytest.skip("this one is of today")
    before = Path("old.duckdb").read_bytes()
    for create in (False, True):
        with pytest.raises(LexiconError, match=r"aptdb migrate old\.duckdb"):
            Lexicon.open("old.duckdb", create=create)
    assert CliRunner().invoke(app, ["info", "old.duckdb"]).exit_code == 1
    assert Path("old.duckdb").read_bytes() == before


@pytest.mark.thorough
def test_a_migrated_one_counts_what_one_does_that_is_made_today(left: Left) -> None:
    assert_same_contents("migrated.duckdb", "today.duckdb")
    aptdb("verify migrated.duckdb")
    told = [aptdb(f"info {name}").replace(name, "") for name in ("migrated.duckdb", "today.duckdb")]
    migrated, today = ([line for line in each.splitlines() if not line.startswith("corpus\t")] for each in told)
    assert migrated == today


@pytest.mark.thorough
def test_a_migrated_one_answers_as_it_did(left: Left) -> None:
    answers = json.loads((OLD / f"{left.version}.json").read_text(encoding="utf-8"))
    assert answers
    for line, answer in answers.items():
        found = aptdb(in_new_words(line).replace(" L", " migrated.duckdb", 1))
        assert_same_text(in_old_words(found), in_old_words(answer))


def in_new_words(line: str) -> str:
    """Return a command with the option that 0.9 called --part, and with --set for what was an option before 1.0."""
    keys = re.sub(r"--(cds-total|cds|phi) (\S+)", lambda each: f"--set {each[1].replace('-', '_')}={each[2]}", line)
    return re.sub(
        r"^(weightings|entries|spaces|evaluations) (\S+)", r"stored \2 \1", keys.replace(" --part ", " --subcorpus ")
    )


def in_old_words(answer: str) -> str:
    """An answer without what earlier versions left unsaid, and with their names for ways with missing words."""
    if "\twindow_tokens\twindow_share\t" in answer:  # of spaces, before the last column; these have no window
        rows = [line.split("\t") for line in answer.splitlines(keepends=True)]
        answer = "".join("\t".join([*row[:-3], row[-1]]) for row in rows)
    unsaid = re.sub(", cds_total := '?power_of_sum'?", "", answer)
    return unsaid.replace("missing := 'skip_unknown'", "missing := 'there'").replace("'skip_item'", "'skip'")


@pytest.mark.thorough
def test_a_migrated_one_answers_new_questions_as_one_does_that_is_made_today(left: Left) -> None:
    answered = 0
    for line in ASKED_TODAY:  # a question may be refused, for counts that came without trees
        migrated, today = (
            CliRunner().invoke(app, words_of(line.replace(" L", f" {name}.duckdb", 1)))
            for name in ("migrated", "today")
        )
        assert migrated.exit_code == today.exit_code, (line, migrated.output, today.output)
        assert_same_text(migrated.output.replace("migrated", ""), without_documents(today.output, left.version))
        answered += migrated.stdout.count("\n") > 1
    assert answered >= len(ASKED_TODAY) // 2


def without_documents(output: str, version: str) -> str:
    """What a lexicon of today answers, without the names of documents that older versions did not keep."""
    answer = output.replace("today", "")
    return answer if version >= "0010" else answer.replace("corpus.conllu\tcorpus.conllu\t", "corpus.conllu\t\t")


# Runs `migrate`, prints its moments, and kills itself at one of them, if it is given by its number.
MOMENTS = """
import os, signal, sys
from aptdb.counting.migrate import migrate
from aptdb.store.lazy_imports import duckdb
file, last, moments, replace = sys.argv[1], int(sys.argv[2]), [], os.replace
def moment(name):
    moments.append(name)
    if len(moments) == last:
        os.kill(os.getpid(), signal.SIGKILL)
def replaced(*places):
    moment("replace")
    replace(*places)
    moment("replaced")
os.replace = replaced
connection = duckdb.DuckDBPyConnection
execute, commit = connection.execute, connection.commit
connection.execute = lambda *given: (moment("statement"), execute(*given))[1]
connection.commit = lambda *given: (moment("commit"), commit(*given))[1]
migrate(file)
print(*moments)
"""


def stopped_moments(file: str, last: int = 0) -> list[str]:
    """The moments of a migration, which is killed at one of them, or not at 0."""
    command = [sys.executable, "-c", MOMENTS, file, str(last)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == (-signal.SIGKILL if last else 0), done.stderr
    return done.stdout.split()


@of_some_schemas
def test_a_migration_that_is_killed_can_be_given_again(left: Left, newest: str) -> None:
    shutil.copy("old.duckdb", "whole.duckdb")
    moments = stopped_moments("whole.duckdb")
    between = moments.index("commit") + 2  # the tables are there, and their direct counts are not
    for last in draw_some(
        [between, *range(1, len(moments) + 1)] if left.version > VERSIONS[0] else [between], 1, left.version
    ):
        shutil.copy("old.duckdb", "killed.duckdb")
        stopped_moments("killed.duckdb", last)
        assert beside(Path("killed.duckdb")) <= {".wal", ".tmp", ".compacted", ".compacted.wal"}
        schema = ask_file("killed.duckdb", "FROM _store.alembic_version")[0][0]
        assert schema in (left.version, newest), last
        aptdb("migrate killed.duckdb")
        aptdb("compact killed.duckdb")  # which deletes what a killed compaction left
        assert not beside(Path("killed.duckdb"))
        assert_same_contents("killed.duckdb", "migrated.duckdb")
        aptdb("verify killed.duckdb")
        assert_same_text(aptdb("apt killed.duckdb dog/NOUN"), aptdb("apt migrated.duckdb dog/NOUN"))


@pytest.mark.thorough
def test_what_smoothed_counts_are_compared_with_is_said(left: Left) -> None:
    """Its default has changed, so a migrated weighting, entry or evaluation says what it is."""
    if left.version >= "0007":
        pytest.skip("this one had the default of today")
    if left.version >= "0002":
        shown = {row.split("\t")[0]: row for row in aptdb("stored migrated.duckdb weightings").splitlines()}
        assert "cds := 0.75, cds_total := 'power_of_sum', shift := 1.5" in shown["shifted"]
        assert "cds_total" not in shown["tight"]
    if left.version >= "0003":
        entries = {row.split("\t")[0]: row for row in aptdb("stored migrated.duckdb entries").splitlines()}
        assert "ppmi, cds := 0.75, cds_total := power_of_sum, shift := 1.5" in entries["red_wine"]
    if left.version >= "0006":
        told = aptdb("stored migrated.duckdb evaluations --format json")
        assert "\"cds := 0.75, cds_total := 'power_of_sum', missing := 'skip_item'\"" in told
        assert "\"cds := 1, missing := 'skip_item'\"" in told


@of_some_schemas
def test_a_migrated_one_grows_and_what_it_stores_is_refreshed(left: Left) -> None:
    shutil.copy("migrated.duckdb", "grown.duckdb")
    aptdb("add grown.duckdb more.conllu")
    assert_same_contents("grown.duckdb", left.made("both.duckdb", *left.corpora(), "more.conllu"))
    if left.version >= "0002":
        assert "\tstale\t" in aptdb("stored grown.duckdb weightings")
        computed = aptdb("neighbours grown.duckdb dog/NOUN --weights shifted")
        aptdb("refresh grown.duckdb --kind weightings")
        assert "\tkept\t" in aptdb("stored grown.duckdb weightings")
        assert_same_text(aptdb("neighbours grown.duckdb dog/NOUN --weights shifted"), computed)
    if left.version >= "0003":
        stored = 4 if left.version >= "0016" else 3 if left.version >= "0006" else 2  # a sense is an entry
        assert aptdb("stored grown.duckdb entries").count("\tstale\n") == stored
        aptdb("refresh grown.duckdb --kind entries")
        composed = aptdb("apt grown.duckdb clothes/NOUN[amod dry/ADJ] --merge min")
        assert_same_text(aptdb("apt grown.duckdb dry_clothes"), composed)
    aptdb("verify grown.duckdb")


@of_some_schemas
def test_a_migrated_one_shrinks_and_stores_what_its_time_did_not_know(left: Left) -> None:
    shutil.copy("migrated.duckdb", "changed.duckdb")
    aptdb("add changed.duckdb more.conllu")
    for corpus in ["counted", "corpus.conllu"][-len(left.corpora()) :]:
        aptdb(f"remove changed.duckdb {corpus}")
    assert_same_contents("changed.duckdb", left.made("more.duckdb", "more.conllu"))
    aptdb("weigh changed.duckdb new_one --shift 1.1 --keep")
    aptdb("apt changed.duckdb wine/NOUN[amod red/ADJ] --save new_wine")
    assert "new_wine" in aptdb("neighbours changed.duckdb wine/NOUN --among all")
    aptdb("eval ratings changed.duckdb pairs.tsv --seed 2")
    assert "seed := 2" in aptdb("stored changed.duckdb evaluations")
    aptdb("compact changed.duckdb")
    aptdb("verify changed.duckdb")
