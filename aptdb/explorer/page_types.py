"""What a page is made with, and what a kind of page is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aptdb.core.result import Result
from aptdb.explorer.content import Page, Piece, Place
from aptdb.explorer.links import Links
from aptdb.lexicon import Lexicon

Values = Mapping[str, str]


@dataclass(frozen=True)
class Asking:
    """What a page is made with: a lexicon, addresses, what the address of the page says, and what makes it fast.

    weights: the kept weights of ppmi. near: neighbours of a lexeme that are known beforehand.
    """

    lexicon: Lexicon
    links: Links
    given: Values
    weights: str | None = None
    near: Callable[[str], Result | None] = lambda _: None

    def get(self, name: str) -> str | None:
        """Return a value of the address; None where there is none."""
        return self.given.get(name) or None


@dataclass(frozen=True)
class Kind:
    """A kind of page.

    takes: the names that its address may have. needs: those that it must have. head: makes the page without its pieces,
    whose names and headings it tells, and what the address of each says. pieces: makes each. at_once: how many are made
    with the page.
    """

    takes: Sequence[str]
    needs: Sequence[str]
    head: Callable[[Asking], "Head"]
    pieces: Mapping[str, Callable[[Asking], Piece]]
    at_once: int = 1


@dataclass(frozen=True)
class Head:
    """The head of a page, the pieces that stand below it, and what is asked of each: the same as read."""

    page: Page
    places: Sequence[Place]
    given: Values
