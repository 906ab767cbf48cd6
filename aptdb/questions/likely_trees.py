"""The likeliest dependency trees over words that may each be several lexemes, without crossing arcs.

A tree's score is a sum of logarithms: of each word's weight and of each arc. The trees are found by Eisner's algorithm,
which joins spans of words; each span keeps its best few trees, so that the best few of all are exact.
"""

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple

KEPT = 8  # trees of a span
NEAR = 2  # places between a head and a dependent whose score depends on what stands between them

Choice = tuple[int, int]  # a word by its place, from 0, and one of its lexemes by its number, from 0


class Arc(NamedTuple):
    """A dependent on its head along a relation."""

    head: Choice
    dependent: Choice
    relation: str


class Tree(NamedTuple):
    """Arcs, with their score, and the word that the others depend on; the arcs decide among equal scores."""

    score: float
    arcs: tuple[Arc, ...]
    root: Choice


Spans = dict[tuple[int, int, Choice], list[Tree]]  # from a word to another: trees whose root is at one of the ends
Arcs = Callable[[Choice, Choice, Sequence[Choice] | None], Iterable[tuple[float, str]]]


def likeliest(weights: Sequence[Sequence[float]], roots: Sequence[Sequence[float]], arcs: Arcs) -> list[Tree]:
    """The best trees over words, the best first; none where no arcs bring all words together.

    weights: for each word the scores of its lexemes. roots: the same of those that would be the root. arcs: the scores
    and relations of a head and a dependent with the words between them, None where these are more than one.
    """
    finder = Finder(weights, arcs)
    return best(
        joined(left, right, word[number] + roots[place][number])
        for place, word in enumerate(weights)
        for number in range(len(word))
        for left in finder.leftward.get((0, place, (place, number)), [])
        for right in finder.rightward.get((place, len(weights) - 1, (place, number)), [])
    )


class Finder:
    """Finds the best trees of all spans, the short ones first.

    leftward: trees whose root is the last word of the span, all others below it; rightward: whose root is the first.
    """

    def __init__(self, weights: Sequence[Sequence[float]], arcs: Arcs) -> None:
        self.weights = weights
        self.arcs = arcs
        self.choices = [[(place, number) for number in range(len(word))] for place, word in enumerate(weights)]
        alone = {
            (place, place, each): [Tree(0.0, (), each)] for place, some in enumerate(self.choices) for each in some
        }
        self.leftward: Spans = dict(alone)
        self.rightward: Spans = dict(alone)
        self.linked: dict[tuple[Choice, Choice], list[Tree]] = {}  # by head and dependent, at the two ends
        for length in range(1, len(weights)):
            for first in range(len(weights) - length):
                self._fill(first, first + length)

    def _fill(self, first: int, last: int) -> None:
        """Find the trees from one word to another from those of shorter spans."""
        for one in self.choices[first]:
            for other in self.choices[last]:
                self._link(one, other)
        for root in self.choices[first]:
            found = (
                joined(tree, rest)
                for place in range(first + 1, last + 1)
                for dependent in self.choices[place]
                for tree in self.linked[root, dependent]
                for rest in self.rightward.get((place, last, dependent), [])
            )
            put(self.rightward, (first, last, root), found)
        for root in self.choices[last]:
            found = (
                joined(tree, rest)
                for place in range(first, last)
                for dependent in self.choices[place]
                for tree in self.linked[root, dependent]
                for rest in self.leftward.get((first, place, dependent), [])
            )
            put(self.leftward, (first, last, root), found)

    def _link(self, one: Choice, other: Choice) -> None:
        """The trees in which one of the two words at the ends of a span depends on the other."""
        within = [
            joined(left, right)
            for middle in range(one[0], other[0])
            for left in self.rightward.get((one[0], middle, one), [])
            for right in self.leftward.get((middle + 1, other[0], other), [])
        ]
        is_near = other[0] - one[0] <= NEAR
        trees = within if is_near else best(within)
        for head, dependent in ((one, other), (other, one)):
            weight = self.weights[dependent[0]][dependent[1]]
            self.linked[head, dependent] = best(
                Tree(tree.score + score + weight, (*tree.arcs, Arc(head, dependent, relation)), head)
                for tree in trees
                for score, relation in self.arcs(
                    head, dependent, [arc.dependent for arc in tree.arcs] if is_near else None
                )
            )


def put(spans: Spans, span: tuple[int, int, Choice], trees: Iterable[Tree]) -> None:
    """Keep the best trees of a span, if there are any."""
    if found := best(trees):
        spans[span] = found


def joined(one: Tree, other: Tree, weight: float = 0.0) -> Tree:
    """Two trees under the root of the first: they have a word in common, or an arc between them is still to come."""
    return Tree(one.score + other.score + weight, one.arcs + other.arcs, one.root)


def best(trees: Iterable[Tree]) -> list[Tree]:
    """The best few of some trees, in an order that does not depend on how they were found."""
    return nlargest(KEPT, trees, key=lambda tree: (round(tree.score, 9), sorted(tree.arcs)))
