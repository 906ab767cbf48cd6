"""What stands above an answer with --provenance: enough to make it again."""

import json
import re
import shlex
from hashlib import sha256
from pathlib import Path

import pytest

from aptdb import Lexicon, __version__
from aptdb.commands.answer_headers import COMMENTS
from aptdb.store.version import REVISION
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import lexicon_of

TEXTS = {f"part-{number}": f"# part {number}\n{DOGS}".encode() for number in range(22)}
QUESTION = ["neighbours", "dog/NOUN", "--pos", "any", "--min-frequency", "1", "--subcorpus", "all"]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of many corpora, with two subcorpora."""
    file = lexicon_of(tmp_path_factory.mktemp("parts") / "parts.duckdb", TEXTS)
    with Lexicon.open(file) as lexicon:
        lexicon.subcorpus("all", where="corpus LIKE 'part-%'")
        lexicon.subcorpus("other", where="corpus = 'part-1'")
    return file


def asked(file: Path, format: str, *more: str) -> str:
    """The answer to the question in a format."""
    answer = ask(QUESTION[0], file, *QUESTION[1:], "--format", format, *more)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("format", COMMENTS)
def test_comments(parts: Path, format: str) -> None:
    """The plain answer stands below them; each corpus is named, and of what is kept what the command names."""
    begin, end = COMMENTS[format]
    whole = asked(parts, format, "--provenance")
    plain = asked(parts, format)
    assert whole.endswith(plain)
    lines = whole.removesuffix(plain).strip().splitlines()
    assert all(line.startswith(begin) and line.endswith(end) for line in lines)
    version, command, lexicon, settings, kept, *corpora = (line[len(begin) : len(line) - len(end)] for line in lines)
    assert (version, lexicon) == (f"aptdb {__version__}", f"lexicon parts.duckdb, schema {REVISION}")
    assert settings.startswith("settings: order 2; lexeme {lemma}/{upos}; ")
    assert kept == "subcorpus all: condition \"corpus\" LIKE 'part-%'"
    assert corpora == [
        f"corpus {name}, sha256 of its unpacked text {sha256(text).hexdigest()}" for name, text in TEXTS.items()
    ]
    again = ask(*shlex.split(command)[1:])
    assert again.stdout == whole


@pytest.mark.thorough
def test_json(parts: Path) -> None:
    found = json.loads(asked(parts, "json", "--provenance"))
    first, *rows = map(json.loads, asked(parts, "jsonl", "--provenance").splitlines())
    assert found["rows"] == rows == json.loads(asked(parts, "json"))
    of_json, of_lines = (each["provenance"]["lexicons"] for each in (found, first))
    assert of_json == of_lines
    assert len(of_json[0]["corpora"]) == len(TEXTS)
    assert of_json[0]["subcorpora"] == {"all": {"condition": "\"corpus\" LIKE 'part-%'"}}
    with Lexicon.open(parts) as lexicon:
        made = lexicon.stored.provenance()
    assert [*made["subcorpora"]] == ["all", "other"]
    assert made["corpora"] == of_json[0]["corpora"]


@pytest.mark.thorough
def test_a_comment_cannot_end_early(parts: Path) -> None:
    answer = ask("lexemes", parts, "--> d*", "--format", "markdown", "--provenance")
    assert all(re.fullmatch("<!-- ((?!-->).)* -->", line) for line in answer.stdout.splitlines()[:5])


@pytest.mark.thorough
def test_a_lexicon_beside_another(parts: Path, tmp_path: Path) -> None:
    other = lexicon_of(tmp_path / "other.duckdb", {"dogs": DOGS.encode()})
    answer = ask("keyness", parts, "--other", other, "--format", "csv", "--provenance")
    lexicons = [line.split()[2] for line in answer.stdout.splitlines() if line.startswith("# lexicon")]
    assert lexicons == ["parts.duckdb,", "other.duckdb,"]


def test_what_is_added_stands_there(tmp_path: Path) -> None:
    (tmp_path / "dogs").write_text(DOGS, encoding="utf-8")
    answer = ask("add", tmp_path / "new.duckdb", tmp_path / "dogs", "--format", "csv", "--provenance")
    assert f"# corpus dogs, sha256 of its unpacked text {sha256(DOGS.encode()).hexdigest()}\n" in answer.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("command", [["lexemes"], ["evidence", "NOUN[det DET]", "--tokens"]])
def test_a_table_has_no_header(parts: Path, command: list[str]) -> None:
    format = "table" if command == ["lexemes"] else "conllu"
    answer = ask(command[0], parts, *command[1:], "--format", format, "--provenance")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "add --format csv, tsv, latex, markdown, json or jsonl" in answer.stderr
