"""What dictionary entries are written from: the parts are the answers of the questions that they come from."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import Lexicon
from aptdb.core.errors import NoSuchLexemeError, QuestionError
from support.commands import ask
from support.corpora import COUNTS


@pytest.fixture(scope="module")
def opened(demo: Path) -> Iterator[Lexicon]:
    """The lexicon of the opened."""
    with Lexicon.open(demo) as lexicon:
        yield lexicon


@pytest.mark.thorough
def test_an_article_has_the_answers_of_the_questions(opened: Lexicon) -> None:
    found = opened.articles(["shoot/NOUN", "green/ADJ"], top=2, top_relations=3, examples=3)
    assert [each["lexeme"] for each in found] == ["shoot/NOUN", "green/ADJ"]
    shoot = found[0]
    assert shoot["frequency"] == opened["shoot/NOUN"].frequency
    assert shoot["per_million"] == pytest.approx(1e6 * shoot["frequency"] / sum(opened.corpora().column("tokens")))
    assert sum(each["count"] for each in shoot["forms"]) == shoot["frequency"]
    rows = [(each["path"], each["relation"], *one.values()) for each in shoot["sketch"] for one in each["collocates"]]
    assert rows == opened.sketch("shoot/NOUN", top=2, top_relations=3, examples=True).rows
    assert shoot["frames"] == [*opened.frames("shoot/NOUN", top=6)]
    best = opened.evidence("shoot/NOUN", best=True, top=3)
    assert [each["text"] for each in shoot["examples"]] == [
        each.replace("[", "").replace("]", "") for each in best.column("text")
    ]
    assert shoot["senses"] == []


@pytest.mark.thorough
def test_articles_on_the_command_line(opened: Lexicon) -> None:
    answer = ask("articles", opened.file, "shoot/NOUN", "--examples", "2")
    shown = answer.stdout
    assert shown.startswith("## shoot (NOUN)\n")
    assert [line for line in shown.splitlines() if line.startswith("### ")] == [
        "### Collocates", "### Frames", "### Examples"
    ]  # fmt: skip
    assert "no senses: they need a reduced space" in answer.stderr
    written = json.loads(ask("articles", opened.file, "shoot/NOUN", "--format", "json").stdout)
    assert written == json.loads(json.dumps(opened.articles(["shoot/NOUN"])))


@pytest.mark.thorough
def test_unknown_words_are_refused_before_anything_is_shown(opened: Lexicon) -> None:
    with pytest.raises(NoSuchLexemeError, match="shoott"):
        opened.articles(["green/ADJ", "shoott/NOUN"])
    with pytest.raises(QuestionError, match="expected a list"):
        opened.articles("shoot")
    with pytest.raises(QuestionError, match="no word is given"):
        opened.articles([])


@pytest.mark.thorough
def test_counts_alone_have_a_sketch(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        (tmp_path / "counts.tsv").write_text(COUNTS, encoding="utf-8")
        lexicon.add(tmp_path / "counts.tsv")
        (found,) = lexicon.articles(["dog/NOUN"])
    assert found["sketch"]
    assert (found["forms"], found["frames"], found["examples"]) == ([], [], [])
