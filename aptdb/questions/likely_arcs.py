"""How likely each arc between typed words is: by what the lexicon counts, and by its parts of speech."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import log
from typing import NamedTuple

from aptdb.questions.likely_trees import Arc, Choice
from aptdb.questions.typed_words import Lexeme, TypedWord
from aptdb.store.session import Session
from aptdb.store.statements import statement

RELATIONS = 3  # of a head and a dependent, at most
SENTENCES = 3000  # that tell which parts of speech depend on which
MORE = "*"  # what stands between a head and a dependent where it is more than one word

Tags = tuple[str | None, str | None]  # of a head and a dependent
Place = tuple[bool, str | None]  # whether a dependent stands before its head, and what stands between them


class Counted(NamedTuple):
    """How often two lexemes are counted along a relation, and how often they would be by chance."""

    times: int
    expected: float


class Grammar:
    """Which parts of speech depend on which, along which relations and on which side, in some sentences."""

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
        """The share of such dependents at a place; where there are few, much as of all along the relation."""
        alike, others = self._places[tags, relation], self._of_relation[relation]
        usual = (others[place] + 0.1) / (others.total() + 1)
        return (alike[place] + usual) / (alike.total() + 1)


class Arcs:
    """The arcs that may be between typed words."""

    def __init__(self, session: Session, words: Sequence[TypedWord]) -> None:
        self.lexemes: dict[Choice, Lexeme] = {
            (place, number): lexeme for place, word in enumerate(words) for number, lexeme in enumerate(word.lexemes)
        }
        self._grammar = Grammar(session)
        self._counted = counted(session, sorted({lexeme.id for lexeme in self.lexemes.values()}))
        self.scores = cache(self._scores)

    def count(self, arc: Arc) -> int:
        """How often the two words of an arc are counted along its relation."""
        ends = self.lexemes[arc.head].id, self.lexemes[arc.dependent].id
        return self._counted.get(ends, {}).get(arc.relation, Counted(0, 0.0)).times

    def root(self, choice: Choice) -> float:
        """The score of a word as the root of a tree."""
        return log(self._grammar.roots.get(self.lexemes[choice].pos, 0.0) + 0.01)

    def _scores(self, head: Choice, dependent: Choice, between: str | None) -> list[tuple[float, str]]:
        """The likeliest relations of two words, with their scores. between: as a place has it."""
        tags = self.lexemes[head].pos, self.lexemes[dependent].pos
        place = dependent[0] < head[0], between
        found = [
            (log(rate * self._grammar.share(tags, relation, place)), relation)
            for relation, rate in self._rates(head, dependent)
        ]
        return sorted(found, reverse=True)[:RELATIONS]

    def _rates(self, head: Choice, dependent: Choice) -> Iterator[tuple[str, float]]:
        """How often two lexemes meet along each relation, for each pair of their tokens: as counted, and by chance."""
        one, other = self.lexemes[head], self.lexemes[dependent]
        known, by_pos = self._counted.get((one.id, other.id), {}), self._grammar.rates[one.pos, other.pos]
        for relation in sorted({*known, *by_pos}):
            count, expected = known.get(relation, Counted(0, 0.0))
            yield relation, (count + expected / 2) / (one.frequency * other.frequency) + by_pos.get(relation, 0.0) / 2

    def between(self, head: Choice, dependent: Choice, middle: Sequence[Choice] | None) -> list[tuple[float, str]]:
        """The same, by the words that stand between the two; None where they are more than one."""
        return self.scores(head, dependent, MORE if middle is None else self.lexemes[middle[0]].pos if middle else "")


def counted(session: Session, lexemes: Sequence[int]) -> Mapping[tuple[int, int], Mapping[str, Counted]]:
    """What the lexicon counts between lexemes: by head and dependent, then by relation."""
    found: defaultdict[tuple[int, int], dict[str, Counted]] = defaultdict(dict)
    rows = session.reading().rows(statement("questions/readings/arc"), {"lexemes": lexemes})
    for head, dependent, relation, count, expected in rows:
        found[head, dependent][relation] = Counted(count, expected)
    return found
