"""What the notations of patterns share: a text read piece by piece, and the parts of a pattern as JSON has them."""

import re
from typing import Any

from aptdb.core.errors import QuestionError

Pattern = dict[str, Any]  # of a pattern or a block that must not be there: nodes, edges, order, same, without
Clauses = list[list[dict[str, Any]]]  # tests of a node: of each list one must hold

MOST_CLAUSES = 60


class Scanner:
    """The rest of a text, read piece by piece; what is not as expected is refused with its place."""

    def __init__(self, text: str, pieces: str, comments: str = "%") -> None:
        self.text = text
        self.place = 0
        self._blank = re.compile(rf"(?:\s|{comments}[^\n]*)*")
        self._pieces = re.compile(rf"{self._blank.pattern}({pieces})?", re.DOTALL)

    def peek(self) -> str:
        """Return the next piece without taking it; '' at the end."""
        found = self._pieces.match(self.text, self.place)
        return found[1] or "" if found else ""

    def take(self) -> str:
        """Take the next piece."""
        found = self._pieces.match(self.text, self.place)
        if not found or not found[1]:
            return ""
        self.place = found.end()
        return found[1]

    def took(self, piece: str) -> bool:
        """Take the next piece if it is this one; return whether it was."""
        return self.peek() == piece and bool(self.take())

    def expect(self, piece: str) -> None:
        """Take a piece. Raise QuestionError if another one follows."""
        if not self.took(piece):
            raise self.wrong(piece)

    def has_more(self) -> bool:
        """Return whether anything but blanks and comments follows."""
        return not self._blank.fullmatch(self.text, self.place)

    def wrong(self, expected: str) -> QuestionError:
        """Return the error for another piece than expected."""
        blank = self._blank.match(self.text, self.place)
        at = blank.end() if blank else self.place
        there = f"{self.text[at : at + 12]!r}" if at < len(self.text) else "the end"
        return QuestionError(f"{self.text:.200}: expected {expected} at character {at + 1}, where {there} is")


class Block:
    """The clauses of a block of a request. known: the block whose nodes it may name."""

    def __init__(self, known: "Block | None" = None) -> None:
        self.known = known
        self.nodes: dict[str, Clauses] = {}
        self.edge_names: set[str] = set()
        self.features: dict[str, Clauses] = {}  # of nodes that are known
        self.edges: list[dict[str, Any]] = []
        self.order: list[dict[str, Any]] = []
        self.same: list[dict[str, Any]] = []

    def fresh(self) -> str:
        """Return a number that no node has; in a block that must not be there, with a sign before it."""
        return f"{'-' if self.known else ''}{len(self.nodes) + 1}"

    def node(self, name: str) -> str:
        """Return the name of a node, new where it was not met; `*` is always. Raise QuestionError for an edge."""
        if name in self.edge_names or (self.known and name in self.known.edge_names):
            raise QuestionError(f"{name} names an edge; edges have no order, no values and no crossings here")
        if name == "*":
            name = f"*{self.fresh()}"
        if not (self.known and name in self.known.nodes):
            self.nodes.setdefault(name, [])
        return name

    def add_tests(self, name: str, tests: Clauses) -> None:
        """Add tests of a node, of this block or known."""
        known = self.known is not None and name in self.known.nodes
        (self.features if known else self.nodes).setdefault(name, []).extend(tests)

    def as_json(self) -> Pattern:
        """Return the block as JSON has it."""
        every = {**self.nodes, **self.features}
        nodes = [{"name": name, "tests": tests} for name, tests in every.items()]
        lists = {"edges": self.edges, "order": self.order, "same": self.same}
        return {"nodes": nodes, **{name: found for name, found in lists.items() if found}}


def escape_value(value: str) -> str:
    """Return the expression for a text and no other."""
    return re.sub(r"([\\.*+?()\[\]{}|^$])", r"\\\1", value)
