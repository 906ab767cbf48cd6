"""The contents of pages: facts, tables, pictures, concordance lines, and the questions behind them."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_type_hints
from urllib.parse import urlencode

from aptdb.core.display import how_many
from aptdb.core.parameters import declared, dictionary_of
from aptdb.core.result import Result
from aptdb.lexicon import Lexicon
from aptdb.questions.calls import call, words_of

Given = str | int | None


class Links:
    """Addresses of a server's pages. A page that a site lacks has the address ''."""

    can_ask = True  # whether there are pages for whatever somebody types

    def page(self, name: str, **given: Given) -> str:
        """Return the address of a page."""
        named = urlencode({key: value for key, value in given.items() if value is not None and value != ""})
        return f"/{name}?{named}" if named else f"/{name}"

    def home(self) -> str:
        """Return the address of the first page."""
        return "/"

    def static(self, name: str) -> str:
        """Return the address of a style sheet or script."""
        return f"/static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the address of a lexeme's page."""
        return self.page("lexeme", x=x, subcorpus=subcorpus)

    def phrase(self, x: str, subcorpus: str | None = None, merge: str | None = None, typed: str | None = None) -> str:
        """Return the address of a phrase's page. typed: the words that it is a reading of."""
        return self.page("phrase", x=x, subcorpus=subcorpus, merge=merge, typed=typed)

    def compare(self, a: str, b: str, subcorpus: str | None = None, subcorpus_b: str | None = None) -> str:
        """Return the address of the comparison of two lexemes or phrases."""
        return self.page("compare", a=a, b=b, subcorpus=subcorpus, subcorpus_b=subcorpus_b)

    def evidence(
        self,
        lexeme: str | None,
        path: str | None = None,
        context: str | None = None,
        subcorpus: str | None = None,
        counts: str | None = None,
    ) -> str:
        """Return the address of the sentences behind a number. counts: packed for those behind a weight."""
        way = "ε" if path == "" else path
        return self.page("evidence", lexeme=lexeme, path=way, context=context, subcorpus=subcorpus, counts=counts)

    def sql(self, query: str) -> str:
        """Return the address of a SELECT."""
        return self.page("sql", q=query)


class SiteLinks(Links):
    """Addresses of a site's pages, from a page in a folder of some depth.

    file_of: a function that returns the file of a lexeme's page, or '' if it has none.
    """

    can_ask = False

    def __init__(self, file_of: Callable[[str], str], depth: int = 0) -> None:
        self._file_of, self._up = file_of, "../" * depth

    def page(self, name: str, **given: Given) -> str:
        """Return ''; only the first page and those of lexemes exist."""
        return ""

    def home(self) -> str:
        """Return the address of the first page."""
        return f"{self._up}index.html"

    def static(self, name: str) -> str:
        """Return the address of a style sheet or script."""
        return f"{self._up}static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the address of a lexeme's page; '' if it has none."""
        file = self._file_of(x)
        return f"{self._up}{file}" if file else ""


ANY = "*"
AS_SQL = {"draw": "apt"}  # what a picture is made of
OPENING = "from aptdb import Lexicon\n\nlexicon = Lexicon.open({!r})\n"
ONLY_IN_PYTHON = ("top", "max_nodes")  # of a picture: how much of an APT is drawn


@dataclass(frozen=True)
class Asked:
    """A question: a method of Lexicon, its arguments, and the given parameters.

    sql: the question in SQL, if it is not the macro of the same name. python: in Python, if it is not a method.
    has_sql: whether SQL can ask it.
    """

    method: str
    arguments: tuple[str | None, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    sql: str = ""
    python: str = ""
    has_sql: bool = True

    def answer(self, lexicon: Lexicon, **more: Any) -> Any:
        """Return the answer of a lexicon. more: parameters that only change speed."""
        return getattr(lexicon, self.method)(*self.arguments, **self.parameters, **more)

    def in_shell(self, file: str) -> str:
        """Return the command that asks this."""
        arguments = [ANY if each is None else each or "ε" for each in self.given_arguments()]
        options = [word for name, value in self.parameters.items() for word in self.option(name, value)]
        if any(each.startswith("-") for each in arguments):
            words = [*options, "--", file, *arguments]
        else:
            words = [file, *arguments, *options]
        return shlex.join(["aptdb", self.method.replace("_", "-"), *words])

    def given_arguments(self) -> tuple[str | None, ...]:
        """Return the arguments without trailing None."""
        given = self.arguments
        while given and given[-1] is None:
            given = given[:-1]
        return given

    def option(self, name: str, value: Any) -> list[str]:
        """Return a parameter as an option of the command line."""
        spelled = f"--{name.replace('_', '-')}"
        if not isinstance(value, bool):
            return [spelled, str(value)]
        dictionary = dictionary_of(getattr(Lexicon, self.method).__wrapped__)[1]
        flag = declared(dictionary)[name].flag if dictionary and name in get_type_hints(dictionary) else None
        on, _, off = (flag or spelled).partition("/")
        return [on if value else off]

    def in_sql(self) -> str:
        """Return the SELECT that asks this."""
        if self.sql:
            return self.sql
        name = AS_SQL.get(self.method, self.method)
        but = ONLY_IN_PYTHON if self.method in AS_SQL else ()
        arguments = [each if each is None else words_of(each) for each in self.arguments]
        return f"FROM {call(name, arguments, {key: value for key, value in self.parameters.items() if key not in but})}"

    def in_python(self, file: str) -> str:
        """Return a Python program that asks this; its last line is the call."""
        return f"{OPENING.format(file)}{self.python or self.call()}"

    def call(self) -> str:
        """Return the Python call that asks this of an open lexicon."""
        given = [repr(each) for each in self.given_arguments()]
        named = [f"{name}={value!r}" for name, value in self.parameters.items()]
        return f"lexicon.{self.method}({', '.join([*given, *named])})"


def only_given(**parameters: Any) -> dict[str, Any]:
    """Return the parameters that are not None."""
    return {name: value for name, value in parameters.items() if value is not None}


@dataclass(frozen=True)
class Cell:
    """A table cell. share: the length of its bar, 0 to 1. is_lexeme: whether the text is a lexeme.

    is_faint: whether it is shown pale.
    """

    text: str
    href: str = ""
    share: float | None = None
    is_lexeme: bool = False
    is_faint: bool = False


@dataclass(frozen=True)
class Table:
    """A table. columns: their names, and whether they are right-aligned."""

    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""


@dataclass(frozen=True)
class Line:
    """A concordance line: its source, the text before and after the keyword, and the whole sentence."""

    place: str
    before: str
    keyword: str
    after: str
    text: str
    context: Cell | None = None


@dataclass(frozen=True)
class Picture:
    """A picture as SVG and as text."""

    svg: str
    text: str


@dataclass(frozen=True)
class Link:
    """A link. is_here: whether it leads to the current page."""

    text: str
    href: str
    is_here: bool = False


@dataclass(frozen=True)
class Piece:
    """A section of a page.

    shape: its template. content: its data. asked: its questions. notes: notes below it.
    """

    shape: str
    heading: str
    content: Any
    asked: Sequence[Asked] = ()
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()


@dataclass(frozen=True)
class Place:
    """A piece that is loaded later: its name, its heading, and its address."""

    name: str
    heading: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A page: its title, facts, groups of links, and pieces, loaded or not."""

    title: str
    kind: str = ""
    facts: Sequence[Cell] = ()
    groups: Sequence[tuple[str, Sequence[Link]]] = ()
    pieces: Sequence[Piece | Place] = ()
    notes: Sequence[str] = ()
    query: str = ""
    form: dict[str, Any] = field(default_factory=dict)
    template: str = "page.html"


def number(value: float | None, digits: int = 4) -> str:
    """Return a number with commas between thousands and, unless it is an integer, a fixed number of digits."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def count_cell(count: int | None, href: str) -> Cell:
    """Return a count with a link to its sentences; a count of 0 has none."""
    return Cell(number(count), href if count else "")


def tokens(count: int) -> str:
    """Return a number of tokens with its noun."""
    return how_many(count, "token")


def shares(values: Sequence[float | None]) -> list[float | None]:
    """Return the lengths of bars for some values: the largest has the full length."""
    most = max((abs(each) for each in values if each is not None), default=0.0)
    return [None if each is None or not most else abs(each) / most for each in values]


Values = Mapping[str, str]


@dataclass(frozen=True)
class Asking:
    """The request for a page: a lexicon, addresses, and parameters.

    weights: kept weights of ppmi. near: a function that returns precomputed neighbours.
    """

    lexicon: Lexicon
    links: Links
    given: Values
    weights: str | None = None
    near: Callable[[str], Result | None] = lambda _: None

    def get(self, name: str) -> str | None:
        """Return a parameter of the address; None if it is missing."""
        return self.given.get(name) or None


@dataclass(frozen=True)
class Kind:
    """A kind of page.

    takes: allowed parameters. needs: required parameters. head: the function that makes the page without its pieces.
    pieces: the functions that make each piece. at_once: the number of pieces that are made with the page.
    """

    takes: Sequence[str]
    needs: Sequence[str]
    head: Callable[[Asking], "Head"]
    pieces: Mapping[str, Callable[[Asking], Piece]]
    at_once: int = 1


@dataclass(frozen=True)
class Head:
    """The head of a page, its pieces, and their parameters."""

    page: Page
    places: Sequence[Place]
    given: Values
