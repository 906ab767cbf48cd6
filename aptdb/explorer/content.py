"""The content of a page: facts, tables, pictures, lines of a concordance, and the questions that gave them."""

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
    """The addresses of a server's pages. What a site has no page for has no address: an empty text."""

    can_ask = True  # whether there are pages for whatever somebody types

    def page(self, name: str, **given: Given) -> str:
        """Return a page by its name and what is given."""
        named = urlencode({key: value for key, value in given.items() if value is not None and value != ""})
        return f"/{name}?{named}" if named else f"/{name}"

    def home(self) -> str:
        """Return the first page."""
        return "/"

    def static(self, name: str) -> str:
        """Return a file of style or script."""
        return f"/static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the page of a lexeme."""
        return self.page("lexeme", x=x, subcorpus=subcorpus)

    def phrase(self, x: str, subcorpus: str | None = None, merge: str | None = None) -> str:
        """Return the page of a phrase."""
        return self.page("phrase", x=x, subcorpus=subcorpus, merge=merge)

    def compare(self, a: str, b: str, subcorpus: str | None = None, subcorpus_b: str | None = None) -> str:
        """Return the page of two lexemes or phrases side by side."""
        return self.page("compare", a=a, b=b, subcorpus=subcorpus, subcorpus_b=subcorpus_b)

    def evidence(
        self, lexeme: str | None, path: str | None = None, context: str | None = None, subcorpus: str | None = None
    ) -> str:
        """Return the page of the sentences behind a number."""
        return self.page(
            "evidence", lexeme=lexeme, path="ε" if path == "" else path, context=context, subcorpus=subcorpus
        )

    def sql(self, query: str) -> str:
        """Return the page of a SELECT."""
        return self.page("sql", q=query)


class SiteLinks(Links):
    """The addresses of a site's pages, from a page that is so many folders deep.

    file_of: gives the file of a lexeme's page, or nothing if it has none.
    """

    can_ask = False

    def __init__(self, file_of: Callable[[str], str], depth: int = 0) -> None:
        self._file_of, self._up = file_of, "../" * depth

    def page(self, name: str, **given: Given) -> str:
        """None but the first page and those of lexemes are there."""
        return ""

    def home(self) -> str:
        """Return the first page."""
        return f"{self._up}index.html"

    def static(self, name: str) -> str:
        """Return a file of style or script."""
        return f"{self._up}static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the page of a lexeme, where it has one."""
        file = self._file_of(x)
        return f"{self._up}{file}" if file else ""


ANY = "*"
AS_SQL = {"draw": "apt"}  # what a picture is made of
ONLY_IN_PYTHON = ("top", "max_nodes")  # of a picture: how much of an APT is drawn


@dataclass(frozen=True)
class Asked:
    """A question: a method of Lexicon, its arguments, and the parameters that are given.

    sql: the question in SQL, where it is not the macro of the same name. python: in Python, where it is not a method.
    has_sql: whether SQL tells the same.
    """

    method: str
    arguments: tuple[str | None, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    sql: str = ""
    python: str = ""
    has_sql: bool = True

    def answer(self, lexicon: Lexicon, **more: Any) -> Any:
        """Return the answer of a lexicon. more: parameters that change how it is found, and nothing else."""
        return getattr(lexicon, self.method)(*self.arguments, **self.parameters, **more)

    def in_shell(self, file: str) -> str:
        """Return the command that asks this of a lexicon."""
        arguments = [ANY if each is None else each or "ε" for each in self.given_arguments()]
        options = [word for name, value in self.parameters.items() for word in self.option(name, value)]
        if any(each.startswith("-") for each in arguments):
            words = [*options, "--", file, *arguments]
        else:
            words = [file, *arguments, *options]
        return shlex.join(["aptdb", self.method.replace("_", "-"), *words])

    def given_arguments(self) -> tuple[str | None, ...]:
        """Return the arguments without those at the end that are not given."""
        given = self.arguments
        while given and given[-1] is None:
            given = given[:-1]
        return given

    def option(self, name: str, value: Any) -> list[str]:
        """Return a parameter as the command line has it."""
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

    def in_python(self) -> str:
        """Return the call that asks this of a lexicon that is open."""
        if self.python:
            return self.python
        given = [repr(each) for each in self.given_arguments()]
        named = [f"{name}={value!r}" for name, value in self.parameters.items()]
        return f"lexicon.{self.method}({', '.join([*given, *named])})"


def only_given(**parameters: Any) -> dict[str, Any]:
    """Return the parameters that are not None."""
    return {name: value for name, value in parameters.items() if value is not None}


@dataclass(frozen=True)
class Cell:
    """A cell of a table. share: how long its bar is, from 0 to 1. is_lexeme: whether the text is one.

    is_faint: whether it stands back.
    """

    text: str
    href: str = ""
    share: float | None = None
    is_lexeme: bool = False
    is_faint: bool = False


@dataclass(frozen=True)
class Table:
    """A table. columns: their names, and whether they stand on the right."""

    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a concordance: where it is, what stands before the keyword and after it, and the whole sentence."""

    place: str
    before: str
    keyword: str
    after: str
    text: str
    context: Cell | None = None


@dataclass(frozen=True)
class Picture:
    """A picture in SVG, and the same as text."""

    svg: str
    told: str


@dataclass(frozen=True)
class Link:
    """A link. is_here: whether it leads to what is shown now."""

    text: str
    href: str
    is_here: bool = False


@dataclass(frozen=True)
class Piece:
    """A part of a page with a heading of its own.

    shape: its template. content: what that shows. asked: how it was asked. notes: what is to be said of it.
    """

    shape: str
    heading: str
    content: Any
    asked: Sequence[Asked] = ()
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()


@dataclass(frozen=True)
class Place:
    """A piece that is yet to be made: its name, its heading, and where it is."""

    name: str
    heading: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A page: what it is about, facts, links in groups, and its pieces, made or yet to be made."""

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
    """Return a number as people read it."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def tokens(count: int) -> str:
    """Return a number of tokens in words."""
    return how_many(count, "token")


def shares(values: Sequence[float | None]) -> list[float | None]:
    """Return how long the bars of some values are: the largest has a whole one."""
    most = max((abs(each) for each in values if each is not None), default=0.0)
    return [None if each is None or not most else abs(each) / most for each in values]


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
