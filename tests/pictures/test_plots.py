"""Plots: where things stand on a map, how a vocabulary grows, bars; each as a picture and as text."""

import math
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import IncompleteDataWarning, InterpretationWarning, Lexicon
from aptdb.pictures import charts
from aptdb.pictures.drawing import text_bars
from aptdb.pictures.plots import project_on_plane
from support.animals import ANIMALS
from support.commands import ask
from support.lexicons import lexicon_of
from support.processes import PATIENCE
from support.runs import examples
from twins.trees import Token, conllu

pytestmark = pytest.mark.extra  # some of these tests need a package of an extra

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 1e-6
coordinates = st.floats(-0.3, 0.3).map(lambda value: round(value, 3))


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of three years."""
    texts = [
        f"# newdoc id = d{year}\n# meta::year = {year}\n" + conllu(ANIMALS * times)
        for year, times in ((1990, 1), (1991, 2), (1993, 1))
    ]
    return lexicon_of(tmp_path_factory.mktemp("dated") / "news.duckdb", {"news": "".join(texts).encode()})


@given(st.dictionaries(st.text("abc", min_size=1), st.tuples(coordinates, coordinates), min_size=2, max_size=9))
@examples(100)
def test_a_flat_map(points: dict[str, tuple[float, float]]) -> None:
    """Of points that are on a plane already, all distances are those of the map; and it is the same in each order."""
    names = [*points]
    alike = {frozenset((a, b)): 1 - math.dist(points[a], points[b]) for a in names for b in names if a != b}
    places, share = project_on_plane(names, alike)
    assert share == pytest.approx(1)
    for a in names:
        for b in names:
            assert math.dist(places[a], places[b]) == pytest.approx(math.dist(points[a], points[b]), abs=NEAR)
    assert project_on_plane(names, alike) == (places, share)


def test_an_axis_points_to_where_things_are() -> None:
    """The place that is farthest out on an axis is on its positive side."""
    alike = {frozenset("ab"): 0.9, frozenset("ac"): 0.1, frozenset("bc"): 0.2}
    places, _ = project_on_plane(["a", "b", "c"], alike)
    for axis in (0, 1):
        farthest = max(places.values(), key=lambda place: abs(place[axis]))
        assert farthest[axis] > 0


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["animals", "dated"])
def test_growth(which: str, request: pytest.FixtureRequest) -> None:
    """The twin: count lexemes token by token."""
    file = request.getfixturevalue(which)
    with Lexicon.open(file) as lexicon:
        tokens = lexicon.sql("SELECT sentence, lexeme FROM tokens WHERE lexeme IS NOT NULL ORDER BY sentence, position")
        drawn = str(lexicon.plot.growth())
        number = lexicon.plot.growth().nodes
    seen: set[str] = set()
    after: dict[int, int] = {}
    rows = tokens.rows
    for place, (sentence, lexeme) in enumerate(rows, 1):
        seen.add(lexeme)
        if place == len(rows) or rows[place][0] != sentence:
            after[place] = len(seen)
    buckets = {math.floor(math.log(place) * 10): (place, count) for place, count in after.items()}
    assert number == len(buckets)
    shown = [
        (int(line.split()[0].replace(",", "")), int(line.split()[2].replace(",", ""))) for line in drawn.splitlines()
    ]
    points = [*buckets.values()]
    assert shown == [*points[:-1:5], points[-1]]


@given(st.lists(st.tuples(st.text("abc犬", max_size=5), st.floats(0, 1e6) | st.none()), max_size=9), st.integers(1, 99))
@examples(100)
def test_text_bars(rows: list[tuple[str, float | None]], width: int) -> None:
    """The largest value has the longest bar, and nothing has a longer one."""
    lines = text_bars([("", rows)], width).splitlines() if rows else []
    lengths = [line.count("█") for line in lines]
    values = [value or 0.0 for _, value in rows]
    for one, length in zip(values, lengths, strict=False):
        for other, longer in zip(values, lengths, strict=False):
            assert one > other or length <= longer
    assert max(lengths, default=0) <= 40


def texts_of(svg: str) -> set[str]:
    """The texts of a picture."""
    return {"".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")}


def notes_of(stderr: str) -> str:
    """What a command notes, but for the wait and small periods."""
    return re.sub(r"aptdb: fewer than 1,000 tokens in [^\n]+\n", "", PATIENCE.sub("", stderr))


PLOTS: dict[str, tuple[str, list[str], set[str]]] = {
    "neighbours": ("animals", ["cat/NOUN", "--pos", "any", "--min-frequency", "1"], {"floor/NOUN", "similarity"}),
    "sketch": ("animals", ["dog/NOUN"], {"adjectives that modify dog", "good/ADJ", "log_dice"}),
    "trend": ("dated", ["dog/NOUN"], {"per million tokens", "year"}),
    "info": ("animals", [], {"tokens", "lexemes"}),
    "map": ("animals", ["dog/NOUN", "cat/NOUN", "dog/NOUN[amod small/ADJ]"], {"dog/NOUN[amod small/ADJ]", "small/ADJ"}),
}


def into(command: str, file: Path | None) -> list[str | Path]:
    """The words by which a command draws into a file or, without one, as text."""
    if command == "map":
        return [] if file is None else ["-o", file]
    return ["--plot", file or "-"]


@pytest.mark.thorough
@pytest.mark.parametrize("plot", PLOTS)
def test_plots(request: pytest.FixtureRequest, tmp_path: Path, plot: str) -> None:
    pytest.importorskip("matplotlib")
    which, words, shown = PLOTS[plot]
    file = request.getfixturevalue(which)
    text = ask(plot, file, *words, *into(plot, None))
    assert (text.exit_code, notes_of(text.stderr)) == (0, "")
    assert text.stdout.strip()
    made = []
    for _ in range(2):
        answer = ask(plot, file, *words, *into(plot, tmp_path / "plot.svg"))
        assert (answer.exit_code, answer.stdout) == (0, "")
        assert re.fullmatch(r"aptdb: \S+plot.svg shows .+, \d+ \w+\n", notes_of(answer.stderr))
        made.append((tmp_path / "plot.svg").read_text(encoding="utf-8"))
    assert made[0] == made[1]
    assert shown <= texts_of(made[0])
    assert "prefers-color-scheme: dark" in made[0]
    assert not re.search("#222222|#3b6ea5", made[0])
    for ending, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF-")):
        assert ask(plot, file, *words, *into(plot, tmp_path / f"plot.{ending}")).exit_code == 0
        assert (tmp_path / f"plot.{ending}").read_bytes().startswith(begins)


@pytest.mark.thorough
def test_a_plot_of_shares(dated: Path) -> None:
    """As text, and as a picture with the interval around the line."""
    pytest.importorskip("matplotlib")
    shares = ask("trend", dated, "dog/NOUN", "--against", "cat/NOUN", "--plot", "-")
    assert shares.exit_code == 0, shares.stderr
    assert re.search(r"^\d{4}  0\.\d{4}–[01]\.\d{4} +[01](\.\d{4})?( |$)", shares.stdout, re.MULTILINE), shares.stdout
    with Lexicon.open(dated) as lexicon:
        drawing = lexicon.plot.trend("dog/NOUN", against="cat/NOUN")
        assert texts_of(drawing.svg) >= {"share", "year"}


@pytest.mark.thorough
def test_a_trend_with_kept_subcorpora(dated: Path, tmp_path: Path) -> None:
    """Beside the frequency it shows how similar the word is to what it was in the first."""
    pytest.importorskip("matplotlib")
    copy = tmp_path / "news.duckdb"
    copy.write_bytes(dated.read_bytes())
    with Lexicon.open(copy) as lexicon:
        assert "similarity to the first period" not in texts_of(lexicon.plot.trend("dog/NOUN").svg)
        lexicon.subcorpora_by("year")
        drawing = lexicon.plot.trend("dog/NOUN")
    assert "similarity to the first period" in texts_of(drawing.svg)
    assert [line.split()[0] for line in str(drawing).splitlines()] == ["1990", "1991", "1993"]


def test_without_matplotlib(animals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    """Bars in a terminal need no matplotlib."""
    assert ask("info", animals, "--plot", "-").exit_code == 0
    answer = ask("info", animals, "--plot", "growth.svg")
    assert (answer.exit_code, PATIENCE.sub("", answer.stderr)) == (
        1, "aptdb: pictures need matplotlib; install it with: pip install 'aptdb[plot]'\n",
    )  # fmt: skip


def test_below_zero() -> None:
    """A bar below zero is another than one above, and a longer one is longer."""
    up, down, less = text_bars([("", [("a", 1.0), ("b", -1.0), ("c", -0.5)])], 60).splitlines()
    assert (up.count("█"), down.count("█"), down.count("░"), less.count("░")) == (40, 0, 40, 20)


def test_a_plane_that_holds_little() -> None:
    """Where the distances are those of no space, it is not said that the plane holds all."""
    alike = {frozenset(pair): 0.9 for pair in ("ab", "bc", "ad", "cd")} | {
        frozenset(pair): 0.0 for pair in ("ac", "bd")
    }
    assert project_on_plane("abcd", alike)[1] < 0.8


@pytest.mark.thorough
def test_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in plots as they are."""
    pytest.importorskip("matplotlib")
    odd = ["<b>&amp;", "$x^2$", "犬", "كلب"]
    sentence: list[Any] = [Token("dog", "dog", "NOUN", "_", 0, "root")]
    sentence += [Token(word, word, "X", "_", 1, "amod") for word in odd]
    with Lexicon.open(lexicon_of(tmp_path / "odd.duckdb", {"odd": [sentence]})) as lexicon:
        drawing = lexicon.plot.sketch("dog/NOUN", everything=True, top=9)
        plane = lexicon.plot.map([f"{word}/X" for word in odd])
    monkeypatch.setattr(charts, "fonts_with", lambda _: ())
    with pytest.warns(IncompleteDataWarning, match=r"missing in this picture: no font here has them; \.svg has all"):
        drawing.content(".png")
    for word in odd:
        assert f"{word}/X" in texts_of(drawing.svg)
        assert f"{word}/X" in texts_of(plane.svg)


@given(st.dictionaries(st.text("fonts", min_size=1), st.sets(st.sampled_from("abcdef")), max_size=5))
@examples(100)
def test_fonts_that_have_all_letters(having: dict[str, set[str]]) -> None:
    """Together they have whatever some font has, and none of them could be left out at its place."""
    chosen = charts.choose_fonts(having)
    letters = [having[name] for name in chosen]
    assert set().union(*letters) == set().union(*having.values())
    assert all(each - set().union(*letters[:place]) for place, each in enumerate(letters))


def test_letters_of_other_fonts() -> None:
    """A text whose letters the usual font lacks takes them from another one of the machine, where there is one."""
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    there = {letter for _, file in charts.installed() for letter in "犬フ한ก" if charts.has(file, letter)}
    lacking = sorted(each for each in there if not charts.has(charts.usual_font(), each))
    if not lacking:
        pytest.skip("no font of this machine has letters that the usual one lacks")
    figure = Figure()
    plain, odd = figure.text(0, 0, "dog"), figure.text(0, 1, f"dog {lacking[0]}")
    before = plain.get_fontfamily()
    charts.find_letters(figure)
    assert plain.get_fontfamily() == before
    assert odd.get_fontfamily()[:1] == ["sans-serif"]
    assert len(odd.get_fontfamily()) > 1
    assert not any(charts.BOXES in name for name in odd.get_fontfamily())


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("neighbours", "{}", "dog/NOUN", "--min-frequency", "1", "--weights", "raw_count"), "neighbours of dog/NOUN"),
        (("sketch", "{}", "dog/NOUN", "--min-count", "1"), "sketch of dog/NOUN"),
        (("info", "{}"), "growth of the vocabulary"),
        (("map", "{}", "dog/NOUN", "cat/NOUN"), "a map: shows"),
    ],
)
def test_plots_have_titles(animals: Path, tmp_path: Path, words: tuple[str, ...], title: str) -> None:
    """That can be seen, not only in the description of the picture."""
    pytest.importorskip("matplotlib")
    file = tmp_path / "plot.svg"
    answer = ask(*(each.format(animals) for each in words), *into(words[0], file))
    assert answer.exit_code == 0, answer.stderr
    assert any(text.startswith(title) for text in texts_of(file.read_text(encoding="utf-8")))


def test_one_outlier_does_not_squeeze_a_map() -> None:
    """It is drawn in its direction, three times as far as half of the points; all others stay, and the order of all."""
    from aptdb.pictures.charts import without_outliers

    square = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.0, 1.0), "d": (1.0, 1.0), "e": (0.5, 0.5)}
    assert without_outliers(square) == (square, [])
    assert without_outliers(dict.fromkeys("abc", (0.0, 0.0)) | {"d": (1.0, 0.0)})[1] == []
    places, far = without_outliers({**square, "far": (100.0, 100.0)})
    assert far == ["far"]
    assert {name: places[name] for name in square} == square
    x, y = places["far"]
    assert x == pytest.approx(y)
    assert 1 < x < 4


@pytest.mark.thorough
def test_many_dates_are_plotted_by_years(tmp_path: Path) -> None:
    parts = (
        f"# newdoc id = d{day}\n# meta::day = 19{80 + day % 3}-01-{day:02}\n"
        f"# meta::other_day = 1980-{1 + day % 12:02}-{day:02}\n{conllu(ANIMALS)}"
        for day in range(10, 29)
    )
    file = lexicon_of(tmp_path / "l.duckdb", {"c": "".join(parts).encode()})
    with Lexicon.open(file) as lexicon:
        assert len(str(lexicon.plot.trend("dog/NOUN", by="day")).splitlines()) == 19
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("aptdb.pictures.plots.MOST_DATES", 18)
            with pytest.warns(
                InterpretationWarning, match=r"19 dates are too many to plot; the periods are year\(day\)"
            ):
                drawing = lexicon.plot.trend("dog/NOUN", by="day")
    assert [line.split()[0] for line in str(drawing).splitlines()] == ["1980", "1981", "1982"]
