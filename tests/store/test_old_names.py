"""Old public names: they work with a warning that says the new one, in a later minor version they are errors."""

from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import aptdb
from aptdb import Lexicon, OldNameWarning, QuestionError
from aptdb.store import old_names
from aptdb.store.old_names import MOVED_METHODS, OLD_NAMES, Old
from support.app import app
from support.clients import no_warnings
from support.lexicons import make_lexicon

MADE_UP = (
    Old("python", "", "Glossary", "Lexicon", since="1.2"),
    Old("python", "Lexicon", "closest", "neighbours", since="1.2"),
    Old("python", "Lexicon.neighbours", "best", "top", since="1.2"),
    Old("command line", "", "closest", "neighbours", since="1.2"),
    Old("command line", "neighbours", "--best", "--top", since="1.2"),
    Old("sql", "", "closest", "neighbours", since="1.2"),
    Old("sql", "neighbours", "best", "top", since="1.2"),
    Old("sql", "lexemes", "freq", "count", since="1.2"),
)
DOG = "dog/NOUN"


@pytest.fixture
def lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lexicon, asked by a version 1.2 that has old names."""
    make_lexicon(
        tmp_path / "barking.duckdb",
        [sentence(*words.split()) for words in ("dog bark", "cat bark", "cow moo")],
        name="animals",
    )
    monkeypatch.setattr(old_names, "OLD_NAMES", MADE_UP)
    in_version(monkeypatch, "1.2.1")
    return tmp_path / "barking.duckdb"


def sentence(noun: str, verb: str) -> list[dict[str, object]]:
    """A sentence of two words."""
    subject: dict[str, object] = {"form": noun, "lemma": noun, "upos": "NOUN", "head": 2, "deprel": "nsubj"}
    return [subject, {"form": verb, "lemma": verb, "upos": "VERB", "head": 0, "deprel": "root"}]


def in_version(patch: pytest.MonkeyPatch, version: str) -> None:
    """Let the version be another."""
    patch.setattr(old_names, "__version__", version)


def opening(file: Path) -> Any:
    """A lexicon of which a type checker knows no names, for the old ones are none of its."""
    return Lexicon.open(file)


def command(*words: str) -> tuple[int, str, str]:
    """The exit status of a command, its answer, and its first note."""
    done = CliRunner().invoke(app, [*words])
    notes = [line for line in done.stderr.splitlines() if "old name" in line or "was renamed" in line]
    return done.exit_code, done.stdout, notes[0] if notes else ""


@pytest.mark.thorough
def test_an_old_name_works_with_a_warning(lexicon: Path) -> None:
    said = "is an old name, an error after version 1.2; write:"
    with pytest.warns(OldNameWarning, match=f"^Glossary {said} Lexicon$"):
        assert aptdb.Glossary is Lexicon
    with opening(lexicon) as opened:
        expected = opened.neighbours(DOG, top=2)
        with pytest.warns(OldNameWarning, match=f"^best of Lexicon.neighbours {said} top$") as heard:
            assert opened.neighbours(DOG, best=2) == expected
        assert heard[0].filename == __file__
        with pytest.warns(OldNameWarning, match=f"^closest of Lexicon {said} neighbours$"):
            assert opened.closest(DOG, top=2) == expected
    file = str(lexicon)
    status, answer, _ = command("neighbours", file, DOG, "--top", "2")
    assert "cat/NOUN" in answer
    note = f"aptdb: --best of neighbours {said} --top"
    assert command("neighbours", file, DOG, "--best", "2") == (status, answer, note)
    assert command("closest", file, DOG, "--best=2")[:2] == (0, answer)


def test_then_it_is_an_error_that_says_the_new_one(lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_version(monkeypatch, "1.3.0rc1")
    said = "was renamed in version 1.2; write: {}"
    with pytest.raises(AttributeError, match=said.format("Lexicon")):
        _ = aptdb.Glossary
    with opening(lexicon) as opened:
        with pytest.raises(QuestionError, match="^best of Lexicon.neighbours " + said.format("top")):
            opened.neighbours(DOG, best=2)
        with pytest.raises(AttributeError, match="^closest of Lexicon " + said.format("neighbours")):
            opened.closest(DOG)
        for query, new in [
            (f"FROM closest('{DOG}')", "closest was renamed in version 1.2; write: neighbours"),
            (f"FROM neighbours('{DOG}', best := 2)", "best of neighbours was renamed in version 1.2; write: top"),
            ("SELECT freq FROM lexemes", "freq of lexemes was renamed in version 1.2; write: count"),
        ]:
            with pytest.raises(QuestionError, match=f"^{new}"):
                opened.sql(query)
    status, _, note = command("neighbours", str(lexicon), DOG, "--best", "2")
    assert (status, "write: --top" in note) == (2, True)
    status, _, note = command("closest", str(lexicon), DOG)
    assert (status, "write: neighbours" in note) == (2, True)


def test_a_name_that_only_a_candidate_had_is_an_error_at_once() -> None:
    said = "^StaleSpace was removed in version 1.0; write: StaleDataWarning$"
    with pytest.raises(ImportError, match=said):
        from aptdb import StaleSpace  # noqa: F401
    with pytest.raises(AttributeError, match=said):
        _ = aptdb.StaleSpace
    assert not hasattr(aptdb, "StaleSpace")


def test_both_names_and_names_that_never_were_are_errors(lexicon: Path) -> None:
    with opening(lexicon) as opened:
        with (
            pytest.warns(OldNameWarning),
            pytest.raises(QuestionError, match="top is given twice: best is its old name"),
        ):
            opened.neighbours(DOG, best=2, top=3)
        with pytest.raises(AttributeError, match="'Lexicon' object has no attribute 'bset'"):
            _ = opened.bset
    with pytest.raises(AttributeError, match="module 'aptdb' has no attribute 'Glosary'"):
        _ = aptdb.Glosary
    with no_warnings():
        assert command("neighbours", str(lexicon), "--", "--best")[0] == 1


def test_what_is_written_in_more_words_is_gone_at_once(lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Old("command line", "", "nearest", "neighbours", since="1.2", instead="aptdb neighbours LEXICON X --top 1")
    monkeypatch.setattr(old_names, "OLD_NAMES", (made,))
    said = CliRunner().invoke(app, ["nearest", str(lexicon), DOG])
    assert said.exit_code == 2
    assert said.stderr.endswith("nearest was removed in version 1.2; write: aptdb neighbours LEXICON X --top 1\n")


@pytest.mark.parametrize("name", MOVED_METHODS)
def test_methods_that_moved_fail_at_once(name: str) -> None:
    lexicon = Lexicon.__new__(Lexicon)
    with pytest.raises(
        AttributeError, match=f"^{name} of Lexicon was removed in version 1.0; write: lexicon\\."
    ) as said:
        getattr(lexicon, name)
    written = str(said.value).partition("write: lexicon.")[2].partition("(")[0]
    assert callable(attrgetter(written)(Lexicon))


@pytest.mark.parametrize("old", [each for each in OLD_NAMES if each.kind == "command line"], ids=str)
def test_commands_and_options_that_moved_fail_at_once(old: Old) -> None:
    words = [old.within, "some.duckdb", old.name] if old.within else [*old.name.split(), "some.duckdb"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert f"was removed in version 1.0; write: {old.instead}" in done.stderr


def test_no_name_is_declared_twice() -> None:
    named = [(each.kind, each.within, each.name) for each in OLD_NAMES]
    assert len({*named}) == len(named)
