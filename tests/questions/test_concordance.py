"""Evidence where a path, a context or a lexeme is left open: beside the counts, the trees, and a plain score."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given

from aptdb import Lexicon, Result
from aptdb.core.errors import QuestionError
from support.commands import ask
from support.lexicons import Counted, new_lexicon
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins.trees import Token


def text(value: str | None) -> str:
    """A text, or NULL, as SQL writes it."""
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


@pytest.mark.thorough
@examples(20)
@given(spelt_corpora(), normalisations())
def test_there_are_as_many_rows_as_the_counts_say(
    counted: Counted, sentences: list[list[Token]], given_settings: dict[str, Any]
) -> None:
    database = counted(sentences, **given_settings)
    counts = {(row[0], row[1], row[2]): row[4] for row in database.rows("FROM cooccurrences WHERE direct > 0")}

    def found(lexeme: str | None, path: str | None, context: str | None) -> Counter[tuple[str, str, str]]:
        query = f"SELECT lexeme, path, context FROM evidence({text(lexeme)}, {text(path)}, {text(context)})"
        return Counter(map(tuple, database.rows(query)))

    for lexeme, path, context in sorted(counts)[:: max(1, len(counts) // 4)]:
        for asked in ((lexeme, path, None), (lexeme, None, context), (None, path, context)):
            wanted = {
                triple: count
                for triple, count in counts.items()
                if all(own in (None, each) for own, each in zip(asked, triple, strict=True))
            }
            assert found(*asked) == wanted
        occurrences = database.rows(f"SELECT corpus, sentence, position FROM evidence({text(lexeme)}, NULL, NULL)")
        frequency = database.value("SELECT frequency FROM lexemes WHERE lexeme = $lexeme", {"lexeme": lexeme})
        assert len(occurrences) == len({*occurrences}) == frequency


@pytest.fixture(scope="module")
def demo(demo: Path) -> Iterator[Lexicon]:
    """The lexicon of the demo, open."""
    with Lexicon.open(demo) as lexicon:
        yield lexicon


ASKED = [("shoot/NOUN",), ("shoot/NOUN", ">amod"), ("shoot/NOUN", None, "the/DET"), (None, ">amod", "green/ADJ")]


def places(answer: Result) -> list[tuple[str, int, int | None]]:
    """Which rows they are."""
    return [(row["sentence"], row["position"], row["context_position"]) for row in answer]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("asked", ASKED)
def test_what_is_shown_and_in_which_order(demo: Lexicon, asked: tuple[str | None, ...]) -> None:
    every = demo.evidence(*asked)
    assert len(every) > 20
    for row in every:
        parts = [each for each in (row["before"], row["keyword"], row["after"]) if each]
        plain = re.sub(r"[\[\]{}]", "", row["text"])
        assert re.sub(" ", "", "".join(parts)) == re.sub(" ", "", plain)
        assert f"[{row['keyword']}]" in row["text"]
    assert places(demo.evidence(*asked, top=7)) == places(every)[:7]
    drawn = places(demo.evidence(*asked, sample=9))
    assert len(drawn) == 9
    assert drawn == [place for place in places(every) if place in {*drawn}]
    assert drawn == places(demo.evidence(*asked, sample=9))
    assert drawn != places(demo.evidence(*asked, sample=9, seed=2))
    assert drawn[:3] == places(demo.evidence(*asked, sample=9, top=3))
    sides: tuple[tuple[Literal["before", "after"], int], ...] = (("before", -1), ("after", 0))
    for side, end in sides:
        rows = demo.evidence(*asked, sort=side)
        words = [(re.findall(r"\w[\w'-]*|\S", row[side].lower()) or [""])[end] for row in rows]
        assert sorted(places(rows), key=str) == sorted(places(every), key=str)
        assert words == sorted(words)
        assert places(demo.evidence(*asked, sort=side, top=4)) == places(rows)[:4]


WEIGHTS = {"whole": 0.2, "length": 0.2, "frequent": 0.2, "names": 0.1, "signs": 0.1, "pronouns": 0.1, "collocate": 0.1}


def score(
    words: list[dict[str, Any]], sentence: str, tokens: int, typical: set[str], weights: dict[str, float]
) -> float:
    """How good an example is (meaning.md 6.5), from the words of a sentence, for a lexeme with these collocates."""
    tags = [each["upos"] for each in words]
    size = len(words) - tags.count("PUNCT")
    pronoun, noun = (min((at for at, tag in enumerate(tags) if tag in wanted), default=len(words))
                     for wanted in ({"PRON"}, {"NOUN", "PROPN"}))  # fmt: skip
    parts = {
        "whole": bool(re.fullmatch("[\"'“‘(]?[A-ZÀ-Þ].*[.!?…][\"'”’)]?", sentence)),
        "length": 1 if 6 <= size <= 20 else size / 6 if size < 6 else 20 / size,
        "frequent": sum((each["frequency"] or 0) * 10_000 >= tokens for each in words if each["upos"] != "PUNCT")
        / size,
        "names": 1 - min(1, 4 * tags.count("PROPN") / size),
        "signs": not re.search(r"[0-9\[\](){}<>/|@#*_=]", sentence),
        "pronouns": not pronoun < noun,
        "collocate": any(each["lexeme"] in typical for each in words),
    }
    return sum(weights[name] * float(value) for name, value in parts.items()) / sum(weights.values())


@pytest.mark.thorough
def test_good_examples_come_first(tmp_path: Path) -> None:
    """Beside a plain score of the same sentences; of two that are alike the better one."""
    texts = [
        "The dog slept on the big floor all day .",
        "the dog slept on a big carpet all day .",
        "The dog .",
        "The dog saw Ann Bo Cy Di and Ed today .",
        "The dog slept ( 4 times ) on the floor .",
        "The dog xylophoned quixotically amid zinnias and yuccas forever .",
        " ".join(["The dog slept"] + ["and slept"] * 20 + ["."]),
        "It knew that the dog lay on the floor .",
        "the dog slept on the big floor all day",
        "Then a dog barked barked at the cold moon .",
    ]
    tags = dict.fromkeys(("Ann", "Bo", "Cy", "Di", "Ed"), "PROPN") | dict.fromkeys(".()", "PUNCT") | {"It": "PRON"}
    lines = []
    for number, sentence in enumerate(texts):
        forms = sentence.split()
        lines.append(f"# sent_id = {number}")
        for place, form in enumerate(forms, 1):
            head, relation = (0, "root") if place == 1 else (1, "dep") if form != "barked" else (3, "dep")
            lines.append(f"{place}\t{form}\t{form.lower()}\t{tags.get(form, 'X')}\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    filler = "1\tthe\tthe\tX\t_\t_\t0\troot\t_\t_\n\n" * 200_000
    with new_lexicon(tmp_path / "l.duckdb", ("\n".join(lines) + "\n").encode(), name="few") as lexicon:
        lexicon.add(io.BytesIO(filler.encode()), name="many")
        tokens = sum(lexicon.corpora().column("tokens"))
        sketch = [*lexicon.sketch("dog/X", top=None, min_count=2)]
        typical = {row["context"] for row in sorted(sketch, key=lambda row: -row["score"])[:30]}
        for changed in ({}, {"collocate": 2.0, "whole": 0.0}, {"pronouns": 1.5}):
            given = ",".join(f"{name}={value}" for name, value in changed.items())
            shown = lexicon.evidence("dog/X", best=True, example_weights=given or None)
            scores = {}
            for number, sentence in enumerate(texts):
                rows = lexicon.sql(
                    "SELECT upos, lexeme, frequency FROM tokens LEFT JOIN lexemes USING (lexeme) "
                    "JOIN sentences USING (sentence) WHERE sentences.sent_id = $id",
                    {"id": str(number)},
                )
                scores[str(number)] = score([*rows], sentence, tokens, typical, WEIGHTS | changed)
            order = shown.column("sentence")
            (alike,) = {"0", "8"} - {*order}  # one of two with the same words and the same score
            del scores[alike]
            assert sorted(order) == sorted(scores)
            found = [round(scores[each], 12) for each in order]
            assert found == sorted(found, reverse=True)
            assert len({*scores.values()}) > 6
    for wrong in ("size=1", "whole", "whole=a", "whole=-1", "whole=1, whole=2"):
        with (
            Lexicon.open(tmp_path / "l.duckdb") as lexicon,
            pytest.raises(QuestionError, match="each once"),
        ):
            lexicon.evidence("dog/X", best=True, example_weights=wrong)


def test_a_concordance_on_a_terminal(demo: Lexicon) -> None:
    """Its keywords stand one below the other, and it says that there are more."""
    shown = ask("evidence", demo.file, "the/DET", "--format", "table")
    lines = shown.stdout.splitlines()
    header = next(line for line in lines if "keyword" in line)
    rows = [line for line in lines if line.startswith(" demo-")]
    assert len(rows) == 100
    assert all(row[header.index("keyword") :].lower().startswith("the ") for row in rows)
    assert "the first 100; --top N shows more, --sample N draws some of all" in shown.stderr
    assert "first" not in ask("evidence", demo.file, "the/DET", "--top", "3").stderr
