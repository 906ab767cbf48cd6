"""Plots: neighbours, also in groups, sketches, trends, growth, and a map of words. Pictures need matplotlib."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.count_parameters import Sketching
from aptdb.core.errors import InterpretationWarning, QuestionError, warn, warnings_heard
from aptdb.core.one_line import on_one_line
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import ComparingEach, Neighbours, Trend
from aptdb.pictures.charts import (
    as_picture,
    draw_figure,
    groups_figure,
    lines_figure,
    map_figure,
    need_matplotlib,
    rows_figure,
    titled,
)
from aptdb.pictures.drawing import Drawing, text_bars
from aptdb.pictures.interval_charts import POISSON, add_caption, poisson_limits
from aptdb.questions.calls import Question, split_phrase
from aptdb.questions.frequencies import trend
from aptdb.questions.query import neighbours, similarity_each, sketch
from aptdb.questions.readings import as_read
from aptdb.questions.weightings import recorded_beside
from aptdb.store.session import Session
from aptdb.store.statements import statement


def project_on_plane(
    names: Sequence[str], alike: Mapping[frozenset[str], float]
) -> tuple[dict[str, tuple[float, float]], float]:
    """Return the position of each name on a plane, and the share of variance that the plane explains, 0 to 1.

    The distance of two is 1 − their similarity (Torgerson 1952: the two largest components of the squared distances,
    centred). Each axis points towards its farthest position, so that equal answers give equal plots.
    """
    import numpy as np

    size = len(names)
    squared = np.zeros((size, size))
    for one, a in enumerate(names):
        for other, b in enumerate(names[:one]):
            squared[one, other] = squared[other, one] = (1 - alike.get(frozenset((a, b)), 0.0)) ** 2
    centring = np.eye(size) - 1 / size
    values, vectors = np.linalg.eigh(-centring @ squared @ centring / 2)
    largest = np.argsort(-values, kind="stable")[:2]
    found = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0))
    farthest = np.abs(found.round(9)).argmax(axis=0)
    found *= np.where(found[farthest, range(found.shape[1])] < 0, -1, 1)
    whole = np.abs(values).sum()
    share = float(np.maximum(values[largest], 0).sum() / whole) if whole else 1.0
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, found, strict=True)}, share


if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLOCKS, IN_BLOCK = 6, 5  # relations of a sketch, and collocates of each, by default
MOST_DATES = 50  # periods of a plot, where these are dates; of more the years are plotted
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
POINTS = 10  # of growth, for each e-fold of tokens
ONE_WAY = ("weeds_precision", "weeds_recall", "cl", "inv_cl", "apinc", "bal_apinc")
Bars = Sequence[tuple[str, float | None]]
IN_GROUPS = 40  # neighbours of a graph
EDGES = 5  # of each of them
NEAREST = 2  # edges of each name, where there are large groups alone
ROUNDS = 100  # at the most, of whispers
Edges = Mapping[frozenset[str], float]


def plot_neighbours(session: Session, x: Question, **parameters: Unpack[Neighbours]) -> Drawing:
    """Plot the neighbours of a lexeme or phrase as bars of their similarities.

    Parameters as of `neighbours`.
    """
    with warnings_heard() as heard:
        found = neighbours(session, x, **parameters)
    if not found.rows:
        raise QuestionError(f"nothing to plot: {x} has no neighbours under these parameters")
    for message, category in heard.items():
        warn(message, category)
    bars = [*zip(found.column("lexeme"), found.column("similarity"), strict=True)]
    return of_bars(f"neighbours of {x}", [("", bars)], "similarity")


def plot_sketch(session: Session, x: str, **parameters: Unpack[Sketching]) -> Drawing:
    """Plot the word sketch of a lexeme as bars, relation by relation.

    Parameters as of `sketch`, with 5 collocates of 6 relations.
    """
    given: Sketching = {"top_relations": BLOCKS, "top": IN_BLOCK, **parameters}
    found = sketch(session, x, **given)
    if not found.rows:
        raise QuestionError(f"no collocate of {x} is left under these parameters")
    blocks: dict[str, list[tuple[str, float | None]]] = {}
    for row in found:
        blocks.setdefault(row["relation"], []).append((row["context"], row["score"]))
    return of_bars(f"sketch of {x}", [*blocks.items()], given.get("score", "log_dice"))


def plot_trend(
    session: Session,
    lexeme: Question | None,
    path: str | None = None,
    context: str | None = None,
    against: Question | None = None,
    **parameters: Unpack[Trend],
) -> Drawing:
    """Plot the frequency of an item over time, per million tokens, with 95 % intervals; parameters as of `trend`.

    Intervals are those of Poisson (Garwood 1936). With against, plot its share among both, with those of Wilson. Where
    by is a column of more than fifty dates, their years are the periods. If subcorpora of two periods or more are kept,
    also plot the similarity of a lexeme to itself in the first.
    """
    asked = (lexeme, path, context, against)
    found = trend(session, *asked, **parameters)
    if len(found) > MOST_DATES and all(map(DAY.fullmatch, found.column("value"))):
        by = parameters["by"] = f"year({parameters.get('by', 'year')})"
        warn(f"{len(found):,} dates are too many to plot; the periods are {by}", InterpretationWarning)
        found = trend(session, *asked, **parameters)
    item = " ".join(str(each) for each in asked[:3] if each is not None) or "*"
    if not found.rows:
        raise QuestionError(f"{item} occurs in no document with a time as {parameters.get('by', 'year')}")
    periods, frequencies = found.column("period"), found.column("per_million")
    counted = zip(found.column("count"), found.column("tokens"), strict=True)
    low, high = zip(*(poisson_limits(*each) for each in counted), strict=True)
    curves, names = {"per million tokens": frequencies}, found.column("value")
    between: dict[str, tuple[Sequence[float | None], Sequence[float | None]]] = {"per million tokens": (low, high)}
    caption = POISSON
    if against is not None:
        item, name, frequencies = f"{item} against {against}", "share", found.column("share")
        limits = found.column("share_low"), found.column("share_high")
        curves, between, caption = {name: frequencies}, {name: limits}, "95 % intervals: Wilson"
        ends = ("" if low is None else f"  {low:.4f}–{high:.4f}" for low, high in zip(*limits, strict=True))
        names = [f"{value}{each}" for value, each in zip(names, ends, strict=True)]
    if "to_first" in found.columns:
        curves["similarity to the first period"] = found.column("to_first")
    return make_plot(
        f"{item} over time",
        lambda: add_caption(lines_figure(periods, curves, parameters.get("by", "year"), between), caption),
        [("", [*zip(names, frequencies, strict=True)])],
    )


def plot_growth(session: Session) -> Drawing:
    """Plot the growth of the vocabulary: lexemes by tokens, in the order of additions."""
    found = session.ask(statement("pictures/growth", points=POINTS))
    if not found.rows:
        raise QuestionError("this lexicon has no sentences: its corpora were added as counts")
    tokens, lexemes = found.column("tokens"), found.column("lexemes")
    some = [*found.rows[: -1 : POINTS // 2], found.rows[-1]]
    as_text = [(f"{number:,} tokens", float(count)) for number, count in some]
    return as_drawing(
        "growth of the vocabulary",
        lambda: lines_figure(tokens, {"lexemes": lexemes}, "tokens", logarithmic=True),
        len(found),
        lambda width: text_bars([("", as_text)], width),
    )


def refuse_one_way(session: Session, parameters: Mapping[str, Any], what: str) -> None:
    """Raise QuestionError for an asymmetric measure, given or recorded by the weighting. what: what cannot be drawn."""
    recorded = recorded_beside(session.reading(), parameters.get("weights"))
    if (measure := parameters.get("measure") or recorded.get("measure")) in ONE_WAY:
        raise QuestionError(f"{measure} is asymmetric; {what} needs a symmetric measure, e.g. cosine")


def plot_map(session: Session, questions: Sequence[Question], **parameters: Unpack[ComparingEach]) -> Drawing:
    """Plot lexemes and phrases on a plane, near where they are similar; an arrow leads from each word to its phrase.

    Positions come from classical multidimensional scaling of 1 − similarity (Torgerson 1952); the title gives the share
    of variance that the plane explains. Words of phrases are on the map too. parameters as of `similarity_each`;
    asymmetric measures are refused. Raises QuestionError.
    """
    refuse_one_way(session, parameters, "a map")
    if not isinstance(questions, list | tuple) or len(set(map(str, questions))) < len("ab"):
        raise QuestionError("a map needs a list of two or more lexemes or phrases")
    read = {str(each): as_read(session, each, parameters) for each in questions}
    words = {name: [word["lexeme"] for word in split_phrase(x)] for name, x in read.items()}
    phrases = {name: lexemes for name, lexemes in words.items() if len(lexemes) > 1}
    items: dict[str, Question] = {**read, **{lexeme: lexeme for each in phrases.values() for lexeme in each}}
    names = [*items]
    alike: dict[frozenset[str], float] = {}
    for row in similarity_each(session, items, None, **parameters):
        if row["similarity"] is None:
            raise QuestionError(f"{row['a']} and {row['b']} cannot be compared: one of them has no features")
        alike[frozenset((row["a"], row["b"]))] = row["similarity"]
    places, share = project_on_plane(names, alike)
    arrows = [(lexeme, name) for name, lexemes in phrases.items() for lexeme in lexemes]
    shows = f"shows {share:.0%} of the variance of the distances"
    as_text = "\n".join([*(f"{name}  {x:.3f}  {y:.3f}" for name, (x, y) in places.items()), f"({shows})"])

    def map_with(title: str, text: str) -> Drawing:
        drawn = as_drawing(
            title, lambda: map_figure(places, arrows, f"{title}: {shows}"), len(names), lambda _: text, is_titled=False
        )
        return replace(drawn, retitle=lambda other: map_with(other, f"{on_one_line(other)}\n{as_text}"))

    return map_with("a map", as_text)


def plot_groups(
    session: Session, x: Question, *, edges: int = EDGES, seed: int = 1, **parameters: Unpack[Neighbours]
) -> Drawing:
    """Plot the neighbours of a lexeme or phrase as a graph, in groups: what they have to do with each other.

    Two neighbours have an edge if one is among the `edges` (5) others that are most similar to the other one. Groups
    are found by Chinese Whispers: each neighbour takes the group to which its edges weigh most, in an order by the
    seed, until none changes. parameters as of `neighbours`, with 40 of them; asymmetric measures are refused. Raises
    QuestionError.
    """
    for called, value, least in (("edges", edges, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise QuestionError(f"{called} is {value!r:.60}; expected a whole number, {least} or more")
    refuse_one_way(session, parameters, "a graph")
    given: dict[str, Any] = {"top": IN_GROUPS, **parameters}
    names = [name for name in neighbours(session, x, **given).column("lexeme") if name != x]
    if not names:
        raise QuestionError(f"nothing to plot: {x} has no neighbours under these parameters")
    shared = {name: value for name, value in given.items() if name in declared(ComparingEach)}
    for of_neighbours in ("anchor", "min_frequency"):
        shared.pop(of_neighbours, None)
    rows = similarity_each(session, names, None, **shared).rows if names[1:] else []
    alike = {frozenset((a, b)): similarity or 0.0 for a, b, similarity in rows}
    kept = edges_of(names, alike, edges)
    groups = whispers(names, kept, seed)
    as_text = "\n".join(f"{number}  {', '.join(group)}" for number, group in enumerate(groups, 1))
    title = f"neighbours of {x}, in {len(groups)} group{'s' if len(groups) > 1 else ''}"
    return as_drawing(title, lambda: groups_figure(kept, groups), len(names), lambda _: as_text)


def edges_of(names: Sequence[str], alike: Edges, most: int) -> dict[frozenset[str], float]:
    """Return the edges of a graph: from each name to the `most` others that are most similar to it, if any are."""
    kept: dict[frozenset[str], float] = {}
    for name in names:
        others = sorted(
            (other for other in names if other != name), key=lambda other: (-alike[frozenset((name, other))], other)
        )
        pairs = (frozenset((name, other)) for other in others[:most])
        kept |= {pair: alike[pair] for pair in pairs if alike[pair] > 0}
    return kept


def whispers(names: Sequence[str], edges: Edges, seed: int) -> list[list[str]]:
    """Return names in groups, the largest first: each in the group to which its edges weigh most.

    Of groups that weigh as much, a name stays in its own, or takes the one that begins with the first name.
    """
    import numpy as np

    beside: dict[str, dict[str, float]] = {name: {} for name in names}
    for pair, heavy in edges.items():
        one, other = sorted(pair)
        beside[one][other] = beside[other][one] = heavy
    label = {name: place for place, name in enumerate(names)}
    chance = np.random.default_rng(seed)
    for _ in range(ROUNDS):
        before = dict(label)
        for place in chance.permutation(len(names)):
            name = names[place]
            sums: dict[int, float] = {}
            for other, value in sorted(beside[name].items()):
                sums[label[other]] = sums.get(label[other], 0.0) + value
            if sums:
                ordered = sorted(sums, key=lambda group: (-round(sums[group], 9), group != before[name], group))
                label[name] = ordered[0]
        if label == before:
            break
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(label[name], []).append(name)
    return sorted(groups.values(), key=lambda group: -len(group))


def find_large_groups(names: Sequence[str], alike: Edges, most: int) -> dict[str, int]:
    """Return the number of each name's group, from 1: the largest groups, which the smaller ones join."""
    groups = whispers(names, edges_of(names, alike, NEAREST), 1)
    large = [tuple(each) for each in groups[:most]]
    for group in groups[most:]:
        near = [sum(alike[frozenset((a, b))] for a in group for b in each) / len(each) for each in large]
        groups[near.index(max(near))] += group
    return {name: number for number, group in enumerate(groups[:most], 1) for name in group}


def of_bars(title: str, blocks: Sequence[tuple[str, Bars]], value: str) -> Drawing:
    """Return a plot of bars, block by block, each with its heading."""
    return make_plot(title, lambda: rows_figure(blocks, value), blocks)


def make_plot(title: str, figure: "Callable[[], Figure]", blocks: Sequence[tuple[str, Bars]]) -> Drawing:
    """Return the drawing of a figure, with bars as text."""
    number = sum(len(bars) for _, bars in blocks)
    return as_drawing(title, figure, number, lambda width: text_bars(blocks, width))


def as_drawing(
    title: str, figure: "Callable[[], Figure]", number: int, as_text: Callable[[float], str], *, is_titled: bool = True
) -> Drawing:
    """Return the drawing of a figure with a number of items.

    The figure is made on demand, and needs matplotlib then. is_titled: whether the title stands above it.
    """

    def made(kind: str) -> bytes:
        need_matplotlib()
        shown = titled(figure(), title) if is_titled else figure()
        return as_picture(shown, title, as_text(math.inf)) if kind == "svg" else draw_figure(shown, kind)

    def retitle(other: str) -> Drawing:
        return as_drawing(other, figure, number, lambda width: f"{on_one_line(other)}\n{as_text(width)}")

    return Drawing(title, number, as_text, made, retitle=retitle)
