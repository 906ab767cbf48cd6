"""Plots of comparisons have the numbers of the answers that they show, with intervals that a second count has, too."""

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from aptdb import Lexicon, QuestionError
from aptdb.core.result import Result
from aptdb.pictures.comparisons import draw_counts, draw_key_items, write_mirrored
from aptdb.pictures.interval_charts import poisson_limits
from support.animals import ANIMALS
from support.commands import ask
from support.lexicons import lexicon_of
from support.runs import examples
from twins.trees import conllu

YEARS = (1990, 1991, 1993)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of two genres and three years, with a subcorpus of each genre."""
    texts = [
        f"# newdoc id = {genre}{year}\n# meta::genre = {genre}\n# meta::year = {year}\n" + conllu(ANIMALS[: 4 + n])
        for n, year in enumerate(YEARS)
        for genre in ("tales", "news")
    ]
    file = lexicon_of(tmp_path_factory.mktemp("kinds") / "kinds.duckdb", {"all": "".join(texts).encode()})
    with Lexicon.open(file) as lexicon:
        lexicon.subcorpus("tales", where="genre = 'tales'")
    return file


@pytest.fixture
def lexicon(kinds: Path) -> Iterator[Lexicon]:
    with Lexicon.open(kinds) as opened:
        yield opened


def numbers_in(text: str) -> list[list[float]]:
    """The interval and the value of each line that has them."""
    found = re.findall(r"  (-?[\d,.]+)–(-?[\d,.]+) +(-?[\d,.]+)", text)
    return [[float(each.replace(",", "")) for each in row] for row in found]


@given(st.integers(0, 10**6), st.integers(1, 10**9))
@examples(100)
def test_poisson_limits(count: int, tokens: int) -> None:
    """Beyond each end the count has a probability of 2.5 %."""
    low, high = (each * tokens / 10**6 for each in poisson_limits(count, tokens))
    assert poisson.cdf(count, high) == pytest.approx(0.025, rel=1e-6)
    assert (low == 0) if count == 0 else poisson.sf(count - 1, low) == pytest.approx(0.025, rel=1e-6)


def test_counts_of_one_thing(lexicon: Lexicon) -> None:
    found = lexicon.counts_by("dog/NOUN", by="genre")
    shown = numbers_in(str(lexicon.plot.counts_by("dog/NOUN", by="genre")))
    assert [round(value) for *_, value in shown] == [round(each) for each in found.column("per_million")]
    for (low, high, _), row in zip(shown, found, strict=True):
        assert (low, high) == pytest.approx(poisson_limits(row["count"], row["tokens"]), abs=0.1)


def test_counts_of_two_things(lexicon: Lexicon) -> None:
    """The second are series; a series has no point where it has no row."""
    drawing = lexicon.plot.counts_by("*", by="year,1.lemma", top=7)
    assert drawing.nodes == 7
    found = lexicon.counts_by("*", by="year,1.lemma", top=7)
    assert {*found.column("1.lemma")} == {line for line in str(drawing).splitlines() if not line[0].isdigit()} - {
        str(drawing).splitlines()[-1]
    }
    for row in found:
        assert f"{row['year']}  " in str(drawing)
    with pytest.raises(QuestionError, match="one or two things in by"):
        lexicon.plot.counts_by("*", by="year,1.lemma,genre")
    with pytest.warns(match="the 6 most frequent of"):
        lexicon.plot.counts_by("*", by="genre,1.form")


def test_what_is_not_found(lexicon: Lexicon) -> None:
    with pytest.raises(QuestionError, match="nothing to plot"):
        lexicon.plot.counts_by("*", by="1.lemma", min_count=10**6)
    with pytest.raises(QuestionError, match="nothing to plot"):
        lexicon.plot.keyness("tales", min_count=10**6)
    with pytest.raises(QuestionError, match="min_count is 1000000"):
        lexicon.plot.sketch_diff("dog/NOUN", "cat/NOUN", min_count=10**6)


def key_item(item: str, a: int, b: int) -> dict[str, object]:
    """A row of keyness of texts of 1,000 tokens each."""
    ratio = math.log2(max(a, 0.5) / max(b, 0.5))
    return {"item": item, "count_a": a, "count_b": b, "per_million_a": a * 1e3, "per_million_b": b * 1e3} | {
        "log_ratio": ratio
    }


def test_key_items() -> None:
    """The interval is that of the ratio of two rates; items without one have no ends."""
    drawn = str(draw_key_items([key_item("x", 8, 2), key_item("y", 0, 4), key_item("z", 2, 8)], "A", "B"))
    first, x, second, y, z, *_ = drawn.splitlines()
    assert (first, second) == ("more frequent in A", "less frequent in A")
    error = 1.96 * math.sqrt(1 / 8 + 1 / 2) / math.log(2)
    assert x.split() == ["x", f"{2 - error:.2f}–{2 + error:.2f}", "2", "█" * 26 + "▋"]
    assert y.split()[:2] == ["y", "-3"]
    assert z.split()[:3] == ["z", f"{-2 - error:.2f}–{error - 2:.2f}", "-2"]
    with pytest.raises(QuestionError, match="no item of A has a log ratio"):
        draw_key_items([{**key_item("x", 1, 0), "log_ratio": None}], "A", "B")


def test_mirrored_bars() -> None:
    shown = write_mirrored([("r", [("x", 2.0, None), ("y", 1.0, 2.0), ("z", None, -1.0)])], ("one", "other"), 60)
    head, relation, x, y, z = shown.splitlines()
    assert relation == "r"
    assert {line.index("│") for line in (head, x, y, z)} == {head.index("│")}
    assert (x.count("█"), y.partition("│")[0].count("█"), y.partition("│")[2].count("█")) == (20, 10, 20)
    assert z.count("░") == 10


def test_values_that_have_no_tokens() -> None:
    found = Result(
        ("value", "count", "tokens", "per_million"), ("VARCHAR", *["BIGINT"] * 2, "DOUBLE"), [("a", 0, 0, 0)]
    )
    assert draw_counts(found, "title", "by").nodes == 0


PLOTS = {
    "counts-by": ["dog/NOUN", "--by", "genre"],
    "counts-by of two": ["*", "--by", "genre,1.lemma", "--top", "6"],
    "counts-by over time": ["*", "--by", "year,1.lemma", "--top", "6"],
    "keyness": ["tales", "--min-count", "1"],
    "sketch": ["dog/NOUN", "--against", "cat/NOUN", "--min-count", "1"],
    "trend": ["dog/NOUN"],
    "map": ["dog/NOUN", "cat/NOUN"],
}


@pytest.mark.extra
@pytest.mark.thorough
@pytest.mark.parametrize("plot", PLOTS)
def test_pictures(kinds: Path, tmp_path: Path, plot: str) -> None:
    """They have the given title; and, on request, how they were made. Equal questions give equal files."""
    pytest.importorskip("matplotlib")
    asked: list[str | Path] = [plot.split(maxsplit=1)[0], kinds, *PLOTS[plot], "--title", "A & <B>"]
    to_file = "-o" if plot == "map" else "--plot"
    made = []
    for _ in range(2):
        answer = ask(*asked, to_file, tmp_path / "plot.svg", "--provenance")
        assert answer.exit_code == 0, answer.output
        made.append((tmp_path / "plot.svg").read_text(encoding="utf-8"))
    assert made[0] == made[1]
    assert "A &amp; &lt;B&gt;" in made[0]
    about = re.findall(r"<metadata>(aptdb [^<]*)</metadata></svg>", made[0])
    kept = ["subcorpus"] if plot == "keyness" else []
    begins = [line.split(maxsplit=1)[0] for line in about[0].splitlines()]
    assert begins == ["aptdb", "aptdb", "lexicon", "settings:", *kept, "corpus"]
    assert ask(*asked, to_file, tmp_path / "plot.png").exit_code == 0
    assert ask(*asked, *([] if plot == "map" else ["--plot", "-"])).stdout.startswith("A & <B>\n")
    refused = ask(*asked, to_file, tmp_path / "plot.png", "--provenance")
    assert (refused.exit_code, ".svg or .html" in refused.stderr) == (2, True)
