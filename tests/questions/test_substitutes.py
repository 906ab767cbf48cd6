"""Words for one place of a phrase: beside neighbours of the word in context, and reasons beside both APTs."""

from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon
from support.commands import ask
from twins.vectors import reasons

pytestmark = pytest.mark.thorough

GREEN = "shoot/NOUN[amod green/ADJ]"


def test_substitutes_are_neighbours_in_context_with_reasons(demo: Path) -> None:
    with Lexicon.open(demo) as lexicon:
        for anchor, word, merge in ((0, "shoot/NOUN", "min"), (2, "green/ADJ", "sum")):
            how: Any = {"anchor": anchor, "merge": merge}
            found = lexicon.substitutes(GREEN, **how, top=4)
            near = lexicon.neighbours(GREEN, **how, top=5).rows
            assert found.but("reasons").rows == [row for row in near if row[0] != word][:4]
            in_context = lexicon.compose(GREEN, **how)
            frequency = dict(lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows)
            own = {(row["path"], row["context"]): row["weight"] for row in in_context}
            for row in found:
                other = {(each["path"], each["context"]): each["weight"] for each in lexicon.apt(row["lexeme"])}
                assert row["reasons"] == ", ".join(reasons(own, other, frequency, 3))


def test_a_word_may_be_marked(demo: Path) -> None:
    with Lexicon.open(demo) as lexicon:
        with pytest.warns(UserWarning, match="green shoot"):
            marked = lexicon.substitutes("green [shoot]", top=3)
        assert marked == lexicon.substitutes(GREEN, top=3)
        with pytest.warns(UserWarning, match="green shoot"):
            assert lexicon.substitutes("[green] shoot", top=3) == lexicon.substitutes(GREEN, anchor=2, top=3)


def test_the_command(demo: Path) -> None:
    shown = ask("fill", demo, "green [shoot]", "--top", "2", "--merge", "min", "--format", "csv").stdout
    assert shown.startswith("lexeme,similarity,reasons\n")
    assert (
        shown.splitlines()[1:]
        == ask(
            "fill", demo, GREEN, "--anchor", "0", "--top", "2", "--merge", "min", "--format", "csv"
        ).stdout.splitlines()[1:]
    )
