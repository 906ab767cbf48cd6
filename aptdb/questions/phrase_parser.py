"""Parse typed phrases: possible lexemes of each word, likely arcs, and the likeliest tree.

A tree's score is a sum of logarithms: of each word's weight and of each arc. The trees are found by Eisner's algorithm,
which joins spans of words; each span keeps its best few trees, so that the best few of all are exact.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nlargest
from itertools import groupby
from math import log
from typing import NamedTuple
from unicodedata import category, normalize

from aptdb.core.errors import QuestionError
from aptdb.store.session import Session
from aptdb.store.statements import statement

JOINED = 4  # words that may be one lexeme, at most
LEXEMES = 4  # of a word, at most
EXAMPLE = "a phrase is written as 'dog/NOUN[amod small/ADJ]'"
NO_PUNCTUATION = "_*"  # beside letters, their marks and digits; * would ask for more than the word


class Lexeme(NamedTuple):
    """A possible lexeme of a typed word. tokens: the number of its tokens with this spelling."""

    id: int
    text: str
    pos: str | None
    frequency: int
    tokens: int


class TypedWord(NamedTuple):
    """A typed word and its possible lexemes, the likeliest first; none if the word is not counted."""

    text: str
    lexemes: list[Lexeme]


Analyses = Mapping[str, list[Lexeme]]
Found = dict[str, list[Lexeme] | None]  # analyses that were looked up, None of unknown words


def look_up(session: Session, texts: Sequence[str]) -> Found:
    """Return the analyses of the words of many texts, looked up at once."""
    found: Found = {}
    analyses_of(session, sorted({run for text in texts for run in runs_of(session, pieces_of(text))}), found)
    return found


def pieces_of(text: str) -> list[str]:
    """Return the words of a text as they are typed, without punctuation."""
    return [piece if "/" in piece else without_punctuation(piece) for piece in text.split()]


def runs_of(session: Session, pieces: Sequence[str]) -> list[str]:
    """Return the words, and those that the lexicon may join."""
    longest = JOINED if session.settings.join else 1
    return ["_".join(pieces[at : at + size]) for at in range(len(pieces)) for size in range(1, longest + 1)]


def typed_words(session: Session, text: str, looked_up: Found | None = None) -> list[TypedWord]:
    """Return the words of a text; joined words count as one, contractions as several.

    looked_up: as `look_up` has it; what is looked up here is added. Raises QuestionError for an unknown word.
    """
    seen = {} if looked_up is None else looked_up
    pieces = split_contractions(session, composed(session, pieces_of(text), seen), seen)
    longest = JOINED if session.settings.join else 1
    analyses = analyses_of(session, sorted({*runs_of(session, pieces)}), seen)
    words, at = [], 0
    while at < len(pieces):
        sizes = range(min(longest, len(pieces) - at), 0, -1)
        size = next((size for size in sizes if "_".join(pieces[at : at + size]) in analyses), 0)
        if not size:
            raise no_lexeme(session, pieces[at], text)
        word = "_".join(pieces[at : at + size])
        words.append(TypedWord(" ".join(pieces[at : at + size]), analyses[word]))
        at += size
    return words


def without_punctuation(piece: str) -> str:
    """Return a typed word without the punctuation around it; as it is, if it is nothing else."""
    kept = [at for at, each in enumerate(piece) if each.isalnum() or each in NO_PUNCTUATION or category(each)[0] == "M"]
    return piece[kept[0] : kept[-1] + 1] if kept else piece


def composed(session: Session, pieces: Sequence[str], seen: Found) -> list[str]:
    """Return typed words in Unicode's normal form C, but for those that the lexicon has as they are typed."""
    decomposed = [piece for piece in pieces if normalize("NFC", piece) != piece]
    known = analyses_of(session, decomposed, seen)
    return [piece if piece in known else normalize("NFC", piece) for piece in pieces]


def split_contractions(session: Session, pieces: Sequence[str], seen: Found) -> list[str]:
    """Return words, contractions such as can't split as the lexicon's own trees split them most often."""
    known = analyses_of(session, pieces, seen)
    whole = [piece for piece in pieces if "/" not in piece and (piece not in known or {*piece} & {*"'’"})]
    if not whole:
        return list(pieces)
    found: dict[str, list[str]] = {}
    for word, parts, times, alone in session.reading().rows(statement("questions/readings/split"), {"words": whole}):
        if len(parts) > 1 and times > alone:
            found.setdefault(word, parts)
    return [part for piece in pieces for part in found.get(piece, [piece])]


def analyses_of(session: Session, words: Sequence[str], found: Found) -> Analyses:
    """Return the possible lexemes of each known word; none where most of its tokens are left out.

    found: what was looked up before, to which the rest is added.
    """
    asked = [word for word in words if word not in found]
    found |= dict.fromkeys(asked)
    query = statement("questions/readings/analysis")
    rows = session.reading().rows(query, {"words": asked}) if asked else []
    for word, group in groupby(rows, key=lambda row: str(row[0])):
        lexemes = [None if row[1] is None else Lexeme(*row[1:]) for row in group]
        found[word] = [] if lexemes[0] is None else [each for each in lexemes if each][:LEXEMES]
    return {word: known for word in words if (known := found[word]) is not None}


def no_lexeme(session: Session, word: str, text: str) -> QuestionError:
    """Return the error for a word that the lexicon lacks."""
    near = session.reading().value(statement("questions/near_lexemes"), {"lexeme": word})
    there = f"; did you mean {near}?" if near else ", and none that is spelt like it;"
    return QuestionError(f"no word {word} (of {text!r}) in this lexicon{there} {EXAMPLE}")


KEPT = 8  # trees of a span
NEAR = 2  # distance up to which the words between a head and a dependent affect the score

Choice = tuple[int, int]  # a word by its place, from 0, and one of its lexemes by its number, from 0


class Arc(NamedTuple):
    """A dependent on its head along a relation."""

    head: Choice
    dependent: Choice
    relation: str


class Tree(NamedTuple):
    """Arcs with their score, and the root; equal scores are ordered by the arcs."""

    score: float
    arcs: tuple[Arc, ...]
    root: Choice


Spans = dict[tuple[int, int, Choice], list[Tree]]  # from a word to another: trees whose root is at one of the ends
Arcs = Callable[[Choice, Choice, Sequence[Choice] | None], Iterable[tuple[float, str]]]


def likeliest(weights: Sequence[Sequence[float]], roots: Sequence[Sequence[float]], arcs: Arcs) -> list[Tree]:
    """Return the best trees over words, the best first; none if no arcs connect all words.

    weights: for each word the scores of its lexemes. roots: their scores as roots. arcs: a function that gives the
    scores and relations of a head and a dependent and the words between them (None if there are several).
    """
    finder = Finder(weights, arcs)
    return keep_best_trees(
        join_trees(left, right, word[number] + roots[place][number])
        for place, word in enumerate(weights)
        for number in range(len(word))
        for left in finder.leftward.get((0, place, (place, number)), [])
        for right in finder.rightward.get((place, len(weights) - 1, (place, number)), [])
    )


class Finder:
    """Search for the best trees of all spans, short spans first.

    leftward: trees whose root is the last word of the span; rightward: trees whose root is the first.
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
        """Find the trees of a span from those of shorter spans."""
        for one in self.choices[first]:
            for other in self.choices[last]:
                self._link(one, other)
        for root in self.choices[first]:
            found = (
                join_trees(tree, rest)
                for place in range(first + 1, last + 1)
                for dependent in self.choices[place]
                for tree in self.linked[root, dependent]
                for rest in self.rightward.get((place, last, dependent), [])
            )
            keep_trees_of_span(self.rightward, (first, last, root), found)
        for root in self.choices[last]:
            found = (
                join_trees(tree, rest)
                for place in range(first, last)
                for dependent in self.choices[place]
                for tree in self.linked[root, dependent]
                for rest in self.leftward.get((first, place, dependent), [])
            )
            keep_trees_of_span(self.leftward, (first, last, root), found)

    def _link(self, one: Choice, other: Choice) -> None:
        """Return the trees in which one end of a span depends on the other."""
        within = [
            join_trees(left, right)
            for middle in range(one[0], other[0])
            for left in self.rightward.get((one[0], middle, one), [])
            for right in self.leftward.get((middle + 1, other[0], other), [])
        ]
        is_near = other[0] - one[0] <= NEAR
        trees = within if is_near else keep_best_trees(within)
        for head, dependent in ((one, other), (other, one)):
            weight = self.weights[dependent[0]][dependent[1]]
            self.linked[head, dependent] = keep_best_trees(
                Tree(tree.score + score + weight, (*tree.arcs, Arc(head, dependent, relation)), head)
                for tree in trees
                for score, relation in self.arcs(
                    head, dependent, [arc.dependent for arc in tree.arcs] if is_near else None
                )
            )


def keep_trees_of_span(spans: Spans, span: tuple[int, int, Choice], trees: Iterable[Tree]) -> None:
    """Keep the best trees of a span, if there are any."""
    if found := keep_best_trees(trees):
        spans[span] = found


def join_trees(one: Tree, other: Tree, weight: float = 0.0) -> Tree:
    """Return two trees as one, under the root of the first: they share a word, or their arc is still to come."""
    return Tree(one.score + other.score + weight, one.arcs + other.arcs, one.root)


def keep_best_trees(trees: Iterable[Tree]) -> list[Tree]:
    """Return the best few trees, in an order that does not depend on the search."""
    return nlargest(KEPT, trees, key=lambda tree: (round(tree.score, 9), sorted(tree.arcs)))


RELATIONS = 3  # of a head and a dependent, at most
SENTENCES = 3000  # that tell which parts of speech depend on which
MORE = "*"  # several words between a head and a dependent

Tags = tuple[str | None, str | None]  # of a head and a dependent
Place = tuple[bool, str | None]  # whether a dependent precedes its head, and the word between them


class Counted(NamedTuple):
    """The count of two lexemes along a relation, and the count expected by chance."""

    times: int
    expected: float


class Grammar:
    """Frequencies of relations between parts of speech, by direction, in a sample of sentences."""

    def __init__(self, session: Session) -> None:
        self.rates: defaultdict[Tags, dict[str, float]] = defaultdict(dict)
        self.roots: dict[str | None, float] = {}
        self._places: defaultdict[tuple[Tags, str], Counter[Place]] = defaultdict(Counter)
        self._of_relation: defaultdict[str, Counter[Place]] = defaultdict(Counter)
        rows = session.reading().rows(statement("questions/readings/grammar"), {"sentences": SENTENCES})
        for head, dependent, relation, rate, before, between, arcs in rows:
            if relation:
                self.rates[head, dependent][relation] = rate
                self._places[(head, dependent), relation][before, between] = arcs
                self._of_relation[relation][before, between] += arcs
            else:
                self.roots[dependent] = rate

    def share(self, tags: Tags, relation: str, place: Place) -> float:
        """Return the share of such dependents at a position, smoothed by their share along the relation."""
        alike, others = self._places[tags, relation], self._of_relation[relation]
        usual = (others[place] + 0.1) / (others.total() + 1)
        return (alike[place] + usual) / (alike.total() + 1)


class ScoredArcs:
    """Scores of possible arcs between typed words."""

    def __init__(self, session: Session, words: Sequence[TypedWord], grammar: Grammar) -> None:
        self.lexemes: dict[Choice, Lexeme] = {
            (place, number): lexeme for place, word in enumerate(words) for number, lexeme in enumerate(word.lexemes)
        }
        self._grammar = grammar
        self._counted = count_between_lexemes(session, sorted({lexeme.id for lexeme in self.lexemes.values()}))
        self.scores = cache(self._scores)

    def count(self, arc: Arc) -> int:
        """Return the count of the two words of an arc along its relation."""
        ends = self.lexemes[arc.head].id, self.lexemes[arc.dependent].id
        return self._counted.get(ends, {}).get(arc.relation, Counted(0, 0.0)).times

    def root(self, choice: Choice) -> float:
        """Return the score of a word as the root of a tree."""
        return log(self._grammar.roots.get(self.lexemes[choice].pos, 0.0) + 0.01)

    def _scores(self, head: Choice, dependent: Choice, between: str | None) -> list[tuple[float, str]]:
        """Return the likeliest relations of two words, with their scores. between: as a place has it."""
        tags = self.lexemes[head].pos, self.lexemes[dependent].pos
        place = dependent[0] < head[0], between
        found = [
            (log(rate * self._grammar.share(tags, relation, place)), relation)
            for relation, rate in self._rates(head, dependent)
        ]
        return sorted(found, reverse=True)[:RELATIONS]

    def _rates(self, head: Choice, dependent: Choice) -> Iterator[tuple[str, float]]:
        """Yield each relation of two lexemes with its smoothed rate, one number per pair of their tokens.

        It is their count, plus half of each of two guesses: by what either lexeme meets, and by parts of speech.
        """
        one, other = self.lexemes[head], self.lexemes[dependent]
        known, by_pos = self._counted.get((one.id, other.id), {}), self._grammar.rates[one.pos, other.pos]
        for relation in sorted({*known, *by_pos}):
            count, expected = known.get(relation, Counted(0, 0.0))
            yield relation, (count + expected / 2) / (one.frequency * other.frequency) + by_pos.get(relation, 0.0) / 2

    def between(self, head: Choice, dependent: Choice, middle: Sequence[Choice] | None) -> list[tuple[float, str]]:
        """Return the likeliest relations of two words, with their scores.

        middle: the word between them, if any; None if there are several.
        """
        return self.scores(head, dependent, MORE if middle is None else self.lexemes[middle[0]].pos if middle else "")


def count_between_lexemes(session: Session, lexemes: Sequence[int]) -> Mapping[tuple[int, int], Mapping[str, Counted]]:
    """Return the counts between lexemes: by head and dependent, then by relation."""
    found: defaultdict[tuple[int, int], dict[str, Counted]] = defaultdict(dict)
    rows = session.reading().rows(statement("questions/readings/arc"), {"lexemes": lexemes})
    for head, dependent, relation, count, expected in rows:
        found[head, dependent][relation] = Counted(count, expected)
    return found
