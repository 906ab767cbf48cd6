"""Whatever the public methods are given, what comes out is an answer or an error of ours, of one line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aptdb import AptError, Lexicon
from support.lexicons import copied, make_lexicon

ODD: tuple[Any, ...] = (
    None, "", "a\0b", "no/SUCH", "x[", "x[y", "[]", "'; DROP TABLE x; --", "\n", -1, 3.5, True, [], {}, [None], [{}],
    object(),
)  # fmt: skip
SENTENCE = [
    {"form": "Dogs", "lemma": "dog", "upos": "NOUN", "head": 2, "deprel": "nsubj"},
    {"form": "bark", "lemma": "bark", "upos": "VERB", "head": 0, "deprel": "root"},
]
FILES = {"a.npz", "a.parquet", "a.tsv", "r.html"}  # what methods write, where the arguments are right
CALLS: dict[str, Callable[[Lexicon, Any], object]] = {
    "add": lambda lexicon, odd: lexicon.add(odd, name="x"),
    "apt": lambda lexicon, odd: lexicon.apt(odd),
    "compose": lambda lexicon, odd: lexicon.compose(odd),
    "compose_each": lambda lexicon, odd: lexicon.compose_each(odd),
    "contextualise": lambda lexicon, odd: lexicon.contextualise(odd),
    "count": lambda lexicon, odd: lexicon.count("dog/NOUN", "<nsubj", odd),
    "diff": lambda lexicon, odd: lexicon.diff("dog/NOUN", odd),
    "doesnt_match": lambda lexicon, odd: lexicon.doesnt_match(odd),
    "entries": lambda lexicon, odd: lexicon.stored.entries(odd),
    "evaluate": lambda lexicon, odd: lexicon.eval.evaluate(odd),
    "evidence": lambda lexicon, odd: lexicon.evidence("dog/NOUN", odd, "bark/VERB"),
    "entails": lambda lexicon, odd: lexicon.entails(odd, "dog/NOUN"),
    "explain": lambda lexicon, odd: lexicon.explain(odd, "dog/NOUN"),
    "export": lambda lexicon, odd: lexicon.export("a.parquet", weights=odd),
    "forget": lambda lexicon, odd: lexicon.stored.forget(odd, kind="weightings"),
    "forget_entry": lambda lexicon, odd: lexicon.stored.forget(odd, kind="entries"),
    "lexeme": lambda lexicon, odd: lexicon[odd],
    "most_similar": lambda lexicon, odd: lexicon.most_similar("dog/NOUN", odd),
    "neighbours": lambda lexicon, odd: lexicon.neighbours(odd),
    "neighbours_each": lambda lexicon, odd: lexicon.neighbours_each(odd),
    "observed": lambda lexicon, odd: lexicon.observed(odd),
    "compositionality": lambda lexicon, odd: lexicon.compositionality(odd),
    "substitutes": lambda lexicon, odd: lexicon.substitutes(odd),
    "plot_groups": lambda lexicon, odd: lexicon.plot.groups(odd),
    "rate_substitutes": lambda lexicon, odd: lexicon.eval.rate_substitutes(odd, odd),
    "plausible": lambda lexicon, odd: lexicon.plausible("bark/VERB[nsubj _/NOUN]", odd),
    "read": lambda lexicon, odd: lexicon.read(odd),
    "refresh": lambda lexicon, odd: lexicon.stored.refresh(odd, kind="weightings"),
    "remove": lambda lexicon, odd: lexicon.remove(odd),
    "save": lambda lexicon, odd: lexicon.save(odd, "dog/NOUN"),
    "similarity": lambda lexicon, odd: lexicon.similarity("dog/NOUN", odd),
    "similarity_each": lambda lexicon, odd: lexicon.similarity_each(["dog/NOUN", "bark/VERB"], odd),
    "sql": lambda lexicon, odd: lexicon.sql(odd),
    "weigh": lambda lexicon, odd: lexicon.weigh("mine", scheme=odd),
    "lexemes": lambda lexicon, odd: lexicon.lexemes(odd),
    "left_out": lambda lexicon, odd: lexicon.left_out_of_sketch(odd),
    "sketch": lambda lexicon, odd: lexicon.sketch(odd),
    "sketch_diff": lambda lexicon, odd: lexicon.sketch_diff("dog/NOUN", odd),
    "relations": lambda lexicon, odd: lexicon.sketch("dog/NOUN", relations=odd),
    "merge": lambda lexicon, odd: lexicon.neighbours("dog/NOUN", merge=odd),
    "shift": lambda lexicon, odd: lexicon.neighbours("dog/NOUN", shift=odd),
    "top": lambda lexicon, odd: lexicon.neighbours("dog/NOUN", top=odd),
    "per_path": lambda lexicon, odd: lexicon.apt("dog/NOUN", per_path=odd),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of one sentence."""
    file = tmp_path_factory.mktemp("made") / "dogs.duckdb"
    return make_lexicon(file, [SENTENCE], name="barking")


@pytest.mark.filterwarnings("ignore:no (lexeme|sentence|token):aptdb.NoMatchWarning")
@pytest.mark.sampled(30)
@pytest.mark.parametrize("called", CALLS)
@pytest.mark.parametrize("odds", [ODD[:4], ODD[4:]], ids=["some", "others"])
def test_only_errors_of_ours_come_out(
    called: str, odds: list[Any], made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A TypeError or AttributeError is Python's own for a call that a type checker refuses."""
    monkeypatch.chdir(tmp_path)
    file = copied(made, tmp_path / "dogs.duckdb")
    with Lexicon.open(file) as lexicon:
        for odd in odds:
            try:
                CALLS[called](lexicon, odd)
            except AptError as error:
                assert str(error).strip(), odd
            except (TypeError, AttributeError):
                assert not isinstance(odd, str), odd
            for each in FILES:
                (tmp_path / each).unlink(missing_ok=True)
