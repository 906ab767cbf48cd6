"""What a weighting records of measure and composition holds in each question with its weights that says no other."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon, QuestionError
from aptdb.core.composition import Composing
from aptdb.core.parameters import declared
from support.lexicons import copied

RECORDED: dict[str, Any] = {
    "measure": "lin", "merge": "max", "aligned": False, "head_weight": 0.3, "unit": True, "strategy": "left-to-right",
    "context": "external", "pipeline": "compose-second", "smooth": "static:2", "alpha": 3.0,
}  # fmt: skip
WEIGHED: dict[str, Any] = {"shift": 1.1, "phi": "harmonic"}
PHRASE = "dog/NOUN[amod small/ADJ]"
# Methods, their arguments, and what else is given.
ASKED: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("apt", (PHRASE,), {}),
    ("compose", (PHRASE,), {}),
    ("compose_each", ([PHRASE, "cat/NOUN[amod small/ADJ]"],), {}),
    ("neighbours", (PHRASE,), {"pos": "any"}),
    ("neighbours", ("dog/NOUN",), {"pos": "any"}),
    ("neighbours_each", ([PHRASE, "dog/NOUN"],), {"pos": "any"}),
    ("similarity", (PHRASE, "cat/NOUN"), {}),
    ("similarity_each", ([PHRASE, "cat/NOUN", "dog/NOUN"],), {}),
    ("explain", (PHRASE, "cat/NOUN"), {"top": 50}),
    ("entails", (PHRASE, "cat/NOUN"), {"top": 50}),
    ("diff", (PHRASE, "cat/NOUN"), {}),
    ("contextualise", (PHRASE,), {"pos": "any"}),
    ("plausible", ("dog/NOUN[amod _/ADJ]",), {}),
    ("substitutes", (PHRASE,), {"anchor": 2}),
    ("compositionality", ([PHRASE],), {}),
    ("most_similar", (["dog/NOUN", "cat/NOUN"],), {"pos": "any"}),
    ("doesnt_match", (["dog/NOUN", "cat/NOUN", "bird/NOUN"],), {}),
)


@pytest.fixture(scope="module")
def lexicon(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    with Lexicon.open(copied(plain, tmp_path_factory.mktemp("models") / "l.duckdb")) as opened:
        opened.weigh("model", **WEIGHED, **RECORDED)
        opened.weigh("bare", **WEIGHED)
        yield opened


def taken(lexicon: Lexicon, method: str) -> set[str]:
    """The parameters of a method."""
    from inspect import signature

    return {*signature(getattr(lexicon, method)).parameters}


@pytest.mark.thorough
@pytest.mark.parametrize(("method", "arguments", "more"), ASKED, ids=[f"{name} {given[0]}" for name, given, _ in ASKED])
def test_what_is_recorded_is_as_if_it_were_given(
    lexicon: Lexicon, method: str, arguments: tuple[Any, ...], more: dict[str, Any]
) -> None:
    """And what is given holds against what is recorded."""
    ask, own = getattr(lexicon, method), {*RECORDED} & taken(lexicon, method)
    given = {name: value for name, value in RECORDED.items() if name in own}
    found = ask(*arguments, weights="model", **more)
    assert found == ask(*arguments, weights="bare", **given, **more)
    if own:
        assert found != ask(*arguments, weights="bare", **more) or method in ("explain", "doesnt_match")
        usual = {"measure": "cosine", "merge": "sum", "smooth": "none", "aligned": True, "context": "all"}
        others = {"head_weight": 0.5, "unit": False, "strategy": "one-step", "pipeline": "compose-second"}
        back = {name: value for name, value in (usual | others).items() if name in own}
        if "alpha" in own:
            back["smooth"], given["smooth"] = "static:1", "static:1"
        assert ask(*arguments, weights="model", **back, **more) == ask(
            *arguments, weights="bare", **{**back, **({"alpha": 3.0} if "alpha" in own else {})}, **more
        )


def test_it_stands_in_the_list_and_in_a_bare_client(lexicon: Lexicon) -> None:
    row = next(each for each in lexicon.stored.weightings() if each["name"] == "model")
    assert row["parameters"].startswith("measure := 'lin', shift := 1.1")
    assert "aligned := false" in row["parameters"]
    similar = lexicon.neighbours("dog/NOUN", weights="model", pos="any").rows
    assert lexicon.sql("FROM neighbours('dog/NOUN', weights := 'model', pos := 'any')").rows == similar


def test_what_is_none_is_not_recorded(lexicon: Lexicon) -> None:
    for wrong, said in (
        ({"measure": "cosin"}, "measure is 'cosin'; expected"),
        ({"merge": "mean"}, "merge is 'mean'; expected"),
        ({"alpha": 2.0}, "alpha has no effect without smooth"),
        ({"missing": "skip"}, "a weighting takes no missing"),
        ({"head_weight": 2}, "head_weight is 2"),
    ):
        with pytest.raises(QuestionError, match=said):
            lexicon.weigh("wrong", **wrong)


@pytest.mark.thorough
def test_a_thesaurus_and_a_map_look_at_what_is_recorded(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.thesaurus(tmp_path / "m.tsv", weights="model", min_frequency=1, top=3)
    given = {name: RECORDED[name] for name in ("measure", "context", "smooth", "alpha") if name in RECORDED}
    lexicon.thesaurus(tmp_path / "g.tsv", weights="bare", min_frequency=1, top=3, **given)
    assert (tmp_path / "m.tsv").read_text(encoding="utf-8") == (tmp_path / "g.tsv").read_text(encoding="utf-8")
    lexicon.weigh("one_way", measure="weeds_precision")
    with pytest.raises(QuestionError, match="weeds_precision is asymmetric"):
        lexicon.plot.map(["dog/NOUN", "cat/NOUN"], weights="one_way")


@pytest.mark.thorough
def test_weights_are_kept_beside_a_model(lexicon: Lexicon) -> None:
    before = lexicon.neighbours(PHRASE, weights="model", pos="any")
    lexicon.weigh("model", keep=True)
    assert lexicon.neighbours(PHRASE, weights="model", pos="any") == before
    assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_no_macro_takes_what_may_be_recorded_as_it_is_given() -> None:
    """In each macro with the parameters of a question they go through _store.NAME(NAME, weights)."""
    names = "|".join((*declared(Composing), "measure"))
    for file in (Path(__file__).parents[2] / "sql").rglob("*.sql"):
        text = re.sub(r"--.*", "", file.read_text(encoding="utf-8"))
        for macro in re.split(r"CREATE OR REPLACE MACRO ", text)[1:]:
            head, _, body = macro.partition(") AS TABLE (")
            if "@parameters_of_" in head and "weights" in body:
                given = re.sub(
                    rf"_store\.({names})\(\1, weights\)|_store\.ranking_of\([^()]*(\([^()]*\))?[^()]*\)", "", body
                )
                assert not re.findall(rf"(?<![\w.'])(?:{names})(?= *[,)])(?<!\bcontext)", given), (file.name, head[:40])
