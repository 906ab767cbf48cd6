"""The neighbours of a word as a graph, in the groups that Chinese Whispers finds there (Biemann 2006), as a picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import ComparingEach, Neighbours
from aptdb.pictures.charts import groups_figure
from aptdb.pictures.drawing import Drawing
from aptdb.pictures.plots import ONE_WAY, as_drawing
from aptdb.questions.calls import Question
from aptdb.questions.query import neighbours, similarity_each
from aptdb.store.session import Session

TOP = 40  # neighbours
EDGES = 5  # of each neighbour
ROUNDS = 100  # at the most, of whispers
Edges = Mapping[frozenset[str], float]


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
    if parameters.get("measure") in ONE_WAY:
        raise QuestionError(f"{parameters['measure']} is asymmetric; a graph needs a symmetric measure, e.g. cosine")
    given: dict[str, Any] = {"top": TOP, **parameters}
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
