"""Read queries for sequences of tokens, in the CQL of Sketch Engine and CQP, `1:[lemma="take"] []{0,2} [upos="NOUN"]`.

A sequence is kept as states, each of a node, and which may come after which: so a repeated token is a state once more.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.notation import MOST_CLAUSES, Clauses, Pattern, Scanner, escape_value

CQL = r'"(?:[^"\\]|\\.)*"|::|!=|</?\w*/?>|\(\?\w+\)|%\w+|[\[\](){}|&!=*+?:,;.]|[\w$\'-]+'
STRATEGIES = ("standard", "shortest", "longest", "all")
ALIASES = {"tag": "upos", "pos": "upos", "word": "form"}
MOST_STATES = 1000
EMPTY = frozenset[str]()  # how nothing at all is matched; by what stands at the start or end of a sentence: "<", ">"


@dataclass
class Stretch:
    """The states of a part of a query. first, last: states, and whether only at the start or end of a sentence."""

    empty: set[frozenset[str]] = field(default_factory=set)  # the ways to match it without any token
    first: set[tuple[int, bool]] = field(default_factory=set)
    last: set[tuple[int, bool]] = field(default_factory=set)
    next: set[tuple[int, int]] = field(default_factory=set)


Part = Callable[[], Stretch]  # makes new states for a part of a query each time that it comes


class Query:
    """What is read of a query: its nodes, the states of these, and what is compared."""

    def __init__(self, text: str) -> None:
        self.scanner = Scanner(text, CQL, comments="#")
        self.nodes: list[dict[str, Any]] = []
        self.states: list[str] = []
        self.same: list[dict[str, Any]] = []

    def wrong(self, text: str) -> QuestionError:
        """Return an error about what stands just before."""
        return QuestionError(f"{self.scanner.text:.200}: {text}, before character {self.scanner.place + 1}")

    def add_node(self, label: str | None, tests: Clauses) -> str:
        """Add a node; return its name."""
        name = label or f"_{len(self.nodes) + 1}"
        if any(each["name"] == name for each in self.nodes):
            raise self.wrong(f"the label {label} is given twice")
        self.nodes.append({"name": name, "tests": tests})
        return name

    def add_state(self, name: str) -> Stretch:
        """Return a stretch of one new state of a node."""
        self.states.append(name)
        if len(self.states) > MOST_STATES:
            raise QuestionError(f"{self.scanner.text:.200}: more than {MOST_STATES} tokens")
        state = len(self.states)
        return Stretch(set(), {(state, False)}, {(state, False)}, set())


# How parts are put together
def join_stretches(one: Stretch, other: Stretch) -> Stretch:
    """Return one stretch followed by another. What stands between tokens is no start and no end of a sentence."""
    return Stretch(
        {left | right for left in one.empty for right in other.empty},
        one.first | {(state, only or "<" in way) for way in one.empty - ENDING for state, only in other.first},
        other.last | {(state, only or ">" in way) for way in other.empty - STARTING for state, only in one.last},
        one.next | other.next | {(a, b) for a, ends in one.last if not ends for b, starts in other.first if not starts},
    )


STARTING = {frozenset("<"), frozenset("<>")}  # ways that no token can stand before
ENDING = {frozenset(">"), frozenset("<>")}


def combine_alternatives(stretches: Iterable[Stretch]) -> Stretch:
    """Return the alternatives of several stretches."""
    found = Stretch()
    for each in stretches:
        found = Stretch(
            found.empty | each.empty, found.first | each.first, found.last | each.last, found.next | each.next
        )
    return found


def repeat_part(part: Part, fewest: int, most: int | None) -> Stretch:
    """Return a part of a query as often as it may come; most: None for any number."""
    found = Stretch({EMPTY})
    for _ in range(fewest):
        found = join_stretches(found, part())
    if most is None:
        once = part()
        loop = {(a, b) for a, ends in once.last if not ends for b, starts in once.first if not starts}
        return join_stretches(found, Stretch(once.empty | {EMPTY}, once.first, once.last, once.next | loop))
    rest = Stretch({EMPTY})
    for _ in range(most - fewest):
        again = join_stretches(part(), rest)
        rest = Stretch(again.empty | {EMPTY}, again.first, again.last, again.next)
    return join_stretches(found, rest)


# Reading
def read_sequence(text: str) -> Pattern:
    """Return a query for a sequence as a pattern. Raise QuestionError, which names the place of what is wrong."""
    query = Query(text)
    scanner = query.scanner
    strategy = read_strategy(scanner)
    whole = read_alternatives(query)()
    while scanner.peek() in ("&", "::"):
        scanner.take()
        read_condition(query)
    if scanner.took("within"):
        unit = scanner.take()
        if unit not in ("s", "<s>", "<s/>"):
            raise query.wrong("a match is always within a sentence, s; for documents there are subcorpora")
    scanner.took(";")
    if scanner.has_more():
        raise scanner.wrong("a token in brackets, |, & with what is compared, or within s,")
    if not whole.first or not whole.last:
        raise QuestionError(f"{text:.200}: no token can match, because <s> begins a sentence and </s> ends it")
    found = {"nodes": query.nodes, **({"same": query.same} if query.same else {})}
    return found | {"sequence": write_sequence(query.states, whole, strategy)}


def write_sequence(states: list[str], whole: Stretch, strategy: str) -> dict[str, Any]:
    """Return the states of a query as JSON has them."""
    anywhere, ends = ({state for state, only in each if not only} for each in (whole.first, whole.last))
    lists: dict[str, set[Any]] = {
        "first": anywhere,
        "at_start": {state for state, _ in whole.first} - anywhere,
        "next": whole.next,
        "last": ends,
        "at_end": {state for state, _ in whole.last} - ends,
    }
    return {"strategy": strategy, "states": states, **{name: sorted(found) for name, found in lists.items() if found}}


def read_strategy(scanner: Scanner) -> str:
    """Return the strategy that begins a query, as (?longest); standard where none does."""
    if not re.fullmatch(r"\(\?\w+\)", scanner.peek()):
        return STRATEGIES[0]
    strategy = scanner.take()[2:-1]
    if strategy not in STRATEGIES:
        raise QuestionError(f"no strategy {strategy}; expected {', '.join(f'(?{each})' for each in STRATEGIES)}")
    return strategy


def read_alternatives(query: Query) -> Part:
    """Return the part of a query that is made of series with | between them."""
    parts = [read_series(query)]
    while query.scanner.took("|"):
        parts.append(read_series(query))
    return parts[0] if len(parts) == 1 else lambda: combine_alternatives(part() for part in parts)


def read_series(query: Query) -> Part:
    """Return the part of a query that is made of parts one after another."""
    parts = [read_part(query)]
    while query.scanner.peek() not in ("", "|", ")", "&", "::", "within", ";"):
        parts.append(read_part(query))

    def make() -> Stretch:
        found = Stretch({EMPTY})
        for part in parts:
            found = join_stretches(found, part())
        return found

    return make


def read_part(query: Query) -> Part:
    """Return a token, a group, or the start or end of a sentence, as often as it may come."""
    part = read_once(query)
    fewest, most = read_times(query)
    return part if (fewest, most) == (1, 1) else lambda: repeat_part(part, fewest, most)


def read_once(query: Query) -> Part:
    """Return a token with its label, a group, or the start or end of a sentence."""
    scanner = query.scanner
    piece = scanner.peek()
    if re.fullmatch(r"</?\w*/?>", piece):
        if piece not in ("<s>", "</s>"):
            raise scanner.wrong("<s> or </s>, the start or the end of a sentence,")
        way = frozenset("<" if scanner.take() == "<s>" else ">")
        return lambda: Stretch({way})
    if scanner.took("("):
        group = read_alternatives(query)
        scanner.expect(")")
        return group
    label = None
    if re.fullmatch(r"\w+", piece):
        place, label = scanner.place, scanner.take()
        if not scanner.took(":"):
            scanner.place = place
            raise scanner.wrong("a token, a group, a label with :, & with what is compared, or within s,")
        if label.startswith("_"):
            raise query.wrong("a label begins with a letter or a number")
    name = query.add_node(label, read_token(query))
    return lambda: query.add_state(name)


def read_times(query: Query) -> tuple[int, int | None]:
    """Return how often a part comes, at least and at most; None for any number."""
    scanner = query.scanner
    for sign, times in {"?": (0, 1), "*": (0, None), "+": (1, None)}.items():
        if scanner.took(sign):
            return times
    if not scanner.took("{"):
        return 1, 1
    numbers = [scanner.take() if scanner.peek().isdecimal() else ""]
    if scanner.took(","):
        numbers.append(scanner.take() if scanner.peek().isdecimal() else "")
    scanner.expect("}")
    if not any(numbers):
        raise query.wrong("expected a number of times, as {2}, {0,3} or {2,}")
    fewest = int(numbers[0] or 0)
    most = None if numbers[-1] == "" else int(numbers[-1])
    if most is not None and (fewest > most or most == 0):
        raise query.wrong(f"a token comes at least {fewest} and at most {most} times")
    return fewest, most


def read_token(query: Query) -> Clauses:
    """Return the tests of a token: in brackets, or a form in quotes."""
    scanner = query.scanner
    if scanner.peek().startswith('"'):
        return [[read_test_value(query, "form")]]
    if not scanner.took("["):
        raise scanner.wrong('a token, as [lemma="take"] or "took",')
    tests = [] if scanner.peek() == "]" else read_either_test(query, negated=False)
    if not scanner.took("]"):
        raise scanner.wrong("&, | or ]")
    return tests


def read_either_test(query: Query, *, negated: bool) -> Clauses:
    """Return the clauses of tests with | between them, or of their opposite."""
    found = [read_every_test(query, negated=negated)]
    while query.scanner.took("|"):
        found.append(read_every_test(query, negated=negated))
    return join_clauses(query, found, every=negated)


def read_every_test(query: Query, *, negated: bool) -> Clauses:
    """Return the clauses of tests with & between them, or of their opposite."""
    found = [read_one_test(query, negated=negated)]
    while query.scanner.took("&"):
        found.append(read_one_test(query, negated=negated))
    return join_clauses(query, found, every=not negated)


def join_clauses(query: Query, found: list[Clauses], *, every: bool) -> Clauses:
    """Return clauses that hold where all of some hold, or where one of them does."""
    if every or len(found) == 1:
        return [clause for clauses in found for clause in clauses]
    clauses = [[test for clause in choice for test in clause] for choice in product(*found)]
    if len(clauses) > MOST_CLAUSES:
        raise query.wrong("too many alternatives in a token")
    return clauses


def read_one_test(query: Query, *, negated: bool) -> Clauses:
    """Return the clauses of a test, of tests in parentheses, or of their opposite."""
    scanner = query.scanner
    if scanner.took("!"):
        return read_one_test(query, negated=not negated)
    if scanner.took("("):
        found = read_either_test(query, negated=negated)
        scanner.expect(")")
        return found
    attribute = read_attribute_of(query)
    sign = read_sign(scanner)
    if not scanner.peek().startswith('"'):
        raise scanner.wrong("a regular expression in double quotes")
    return [[read_test_value(query, attribute, negated=negated is not (sign == "!="))]]


def read_sign(scanner: Scanner) -> str:
    """Return = or !=."""
    if scanner.peek() not in ("=", "!="):
        raise scanner.wrong("= or !=")
    return scanner.take()


def read_attribute_of(query: Query) -> str:
    """Return an attribute, as lemma, Number or misc.Gloss."""
    scanner = query.scanner
    if not re.fullmatch(r"[\w$'-]+", scanner.peek()):
        raise scanner.wrong('an attribute, as lemma="take",')
    name = scanner.take()
    if name in ("feats", "misc") and scanner.took("."):
        return f"{name}.{scanner.take()}"
    return ALIASES.get(name, name)


def read_test_value(query: Query, attribute: str, *, negated: bool = False) -> dict[str, Any]:
    """Return a test of an attribute with the expression that follows and its flags: %c, %d, %l."""
    value = query.scanner.take()[1:-1].replace('\\"', '"')
    flags = query.scanner.take()[1:] if query.scanner.peek().startswith("%") else ""
    if set(flags) - set("cdl"):
        raise query.wrong(f"%{flags} is unknown; expected %c (capitals), %d (accents) or %l (literally)")
    value = escape_value(value) if "l" in flags else value
    test: dict[str, Any] = {"attribute": attribute, "value": ("(?i)" if "c" in flags else "") + value}
    return test | ({"not": True} if negated else {}) | ({"accents": False} if "d" in flags else {})


def read_condition(query: Query) -> None:
    """Read two values of labelled tokens that are the same or not, as 1.lemma = 2.lemma."""
    sides = [read_labelled(query)]
    sign = read_sign(query.scanner)
    sides.append(read_labelled(query))
    query.same.append({"left": sides[0], "right": sides[1]} | ({"not": True} if sign == "!=" else {}))


def read_labelled(query: Query) -> str:
    """Return an attribute of a labelled token, as 1.lemma."""
    label = query.scanner.peek()
    if not any(label == each["name"] for each in query.nodes):
        raise query.scanner.wrong("a label of the query with an attribute, as 1.lemma,")
    query.scanner.take()
    query.scanner.expect(".")
    return f"{label}.{read_attribute_of(query)}"
