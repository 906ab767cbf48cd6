"""The contents of pages: facts, tables, pictures, concordance lines, and the questions behind them."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from aptdb.core.parameters import declared, dictionary_of, write_option
from aptdb.core.result import Result
from aptdb.explorer.page_settings import PLAIN, SETTINGS, How
from aptdb.lexicon import Lexicon
from aptdb.questions.calls import call, write_question

Given = str | int | None


class Links:
    """Addresses of a server's pages. A page that a site lacks has the address ''."""

    can_ask = True  # whether there are pages for whatever somebody types

    def __init__(self, carried: Mapping[str, Any] | None = None) -> None:
        """Begin with the settings that each page hands on to the pages it leads to."""
        self._carried = dict(carried or {})

    def page(self, name: str, **given: Given) -> str:
        """Return the address of a page."""
        handed = {key: value for key, value in self._carried.items() if key in SETTINGS.get(name, ())}
        named = urlencode({key: value for key, value in (handed | given).items() if value is not None and value != ""})
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

    def evidence(self, lexeme: str | None, path: str | None = None, context: str | None = None, **given: Given) -> str:
        """Return the address of the sentences behind a number; those behind a weight need counts="packed"."""
        return self.page("concordance", q=lexeme, path="ε" if path == "" else path, context=context, **given)

    def sql(self, query: str) -> str:
        """Return the address of a SELECT."""
        return self.page("sql", q=query)


ALL_WORDS = "all.html"  # of a site


class SiteLinks(Links):
    """Addresses of a site's pages, from a page in a folder of some depth.

    file_of: a function that returns the file of a lexeme's page, or '' if it has none.
    """

    can_ask = False

    def __init__(self, file_of: Callable[[str], str], depth: int = 0) -> None:
        super().__init__()
        self._file_of, self._up = file_of, "../" * depth

    def page(self, name: str, **given: Given) -> str:
        """Return the address of the list of all words, to which a search leads without a script; '' for other pages."""
        return f"{self._up}{ALL_WORDS}" if name == "search" else ""

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
AS_SQL = {"plot.apt": "apt"}  # what a picture is made of
NAMED_IN_SQL = {"lexemes": "pattern"}  # the parameter of SQL that a Python argument without a name is
AS_COMMAND = {  # the words of a command that is not called as the method, and its options
    "plot.apt": ["draw"], "plot.map": ["map"], "corpora": ["info", "--corpora"], "sketch_diff": ["sketch"],
    "contextualise": ["neighbours", "--in-context"], "diff": ["explain", "--differences"],
    "phrase_keyness": ["keyness"],
}  # fmt: skip
AS_OPTION = {"phrase_keyness": (0, "--phrase"), "sketch_diff": (1, "--against")}  # an argument, by its place
OPENING = "from aptdb import Lexicon\n\nlexicon = Lexicon.open({!r})\n"
ONLY_IN_PYTHON = ("top", "max_nodes")  # of a picture: how much of an APT is drawn


@dataclass(frozen=True)
class Asked:
    """A question: a method of Lexicon or of a part (plot.map), its arguments, and the given parameters.

    sql: the question in SQL, if it is not the macro of the same name. python: in Python, if it is not a method.
    has_sql: whether SQL can ask it.
    """

    method: str
    arguments: tuple[Any, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    sql: str = ""
    python: str = ""
    has_sql: bool = True

    def answer(self, lexicon: Lexicon, **more: Any) -> Any:
        """Return the answer of a lexicon. more: parameters that only change speed."""
        return attrgetter(self.method)(lexicon)(*self.arguments, **self.parameters, **more)

    def in_shell(self, file: str) -> str:
        """Return the command that asks this."""
        arguments = [ANY if each is None else each or "ε" for each in self.given_arguments()]
        if self.method.startswith("stored."):
            return shlex.join(["aptdb", "stored", file, self.method.removeprefix("stored.")])
        called = AS_COMMAND.get(self.method, [self.method.replace("_", "-")])
        options = [each for each in called if each.startswith("--")]
        options += [word for name, value in self.parameters.items() for word in self.option(name, value)]
        place, option = AS_OPTION.get(self.method, (len(arguments), ""))
        if place < len(arguments):
            own = arguments.pop(place)
            options = [option, *([own] if isinstance(own, str) else own), *options]
        has_dash = any(each.startswith("-") for each in arguments)
        words = [*options, "--", file, *arguments] if has_dash else [file, *arguments, *options]
        return shlex.join(["aptdb", *(each for each in called if each not in options), *words])

    def given_arguments(self) -> tuple[Any, ...]:
        """Return the arguments without trailing None."""
        given = self.arguments
        while given and given[-1] is None:
            given = given[:-1]
        return given

    def option(self, name: str, value: Any) -> list[str]:
        """Return a parameter as an option of the command line."""
        dictionary = dictionary_of(attrgetter(self.method)(Lexicon).__wrapped__)[1]
        return write_option(name, value, declared(dictionary).get(name) if dictionary else None)

    def in_sql(self) -> str:
        """Return the SELECT that asks this."""
        if self.sql:
            return self.sql
        name = AS_SQL.get(self.method, self.method)
        but = ONLY_IN_PYTHON if self.method in AS_SQL else ()
        arguments = [each if each is None else write_question(each) for each in self.arguments]
        named = {key: value for key, value in self.parameters.items() if key not in but}
        if self.method in NAMED_IN_SQL and arguments:
            named, arguments = {NAMED_IN_SQL[self.method]: arguments[0], **named}, []
        return f"FROM {call(name, arguments, named)}"

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

    is_faint: whether it is shown pale. value: the number behind the text, for sorting and files. is_count: whether
    that is a number of tokens or sentences. mark: what is new about it, beside the text. side: a or b, whose colour its
    bar has. span: the ends of its interval, as share.
    """

    text: str
    href: str = ""
    share: float | None = None
    is_lexeme: bool = False
    is_faint: bool = False
    value: float | None = None
    is_count: bool = False
    mark: str = ""
    side: str = ""
    span: tuple[float, float] | None = None


@dataclass(frozen=True)
class Table:
    """A table. columns: their names, and whether they are right-aligned.

    foot: rows that stay at the end. key: columns of a file that tell this table from others, with their values. path:
    the path that all its rows are about. href: the address of this table alone. heads: of each column the address of
    the table sorted by it, and how it is sorted, as ARIA has it. is_side_by_side: whether a row has several answers
    beside each other, so that it cannot be sorted. most: rows that are shown where no number is asked for; 0 for all.
    """

    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    foot: Sequence[Sequence[Cell]] = ()
    key: Mapping[str, str] = field(default_factory=dict)
    path: str | None = None
    href: str = ""
    heads: Sequence[tuple[str, str]] = ()
    is_side_by_side: bool = False
    most: int = 0

    def tags(self) -> list[str]:
        """Return the part of speech of each column whose lexemes share one; '' for the others."""
        found = []
        for place in range(len(self.columns)):
            lexemes = [row[place].text for row in self.rows if row[place].is_lexeme and row[place].text]
            tags = {each.rpartition("/")[2] if "/" in each else "" for each in lexemes}
            found.append(tags.pop() if len(tags) == 1 and len(lexemes) > 1 else "")
        return found


class Mark(NamedTuple):
    """A stretch of text: the keyword, its context, or neither."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Line:
    """A concordance line: its source, the text before and after the keyword, and the whole sentence.

    words: the sentence in stretches. href: the address of the sentence.
    reference: how a copy of the sentence names its source.
    """

    place: str
    before: str
    keyword: str
    after: str
    words: Sequence[Mark]
    href: str
    reference: str


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

    shape: its template. content: its data. asked: its questions. notes: notes below it. name: in addresses. rows: how
    many rows of a table were asked for. tools: how its tables are sorted, filtered and exported.
    """

    shape: str
    heading: str
    content: Any
    asked: Sequence[Asked] = ()
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()
    name: str = ""
    rows: int = 0
    tools: Any = None

    @property
    def picture(self) -> str:
        """Return its picture as SVG; '' without one."""
        drawn = {"picture": [self.content], "trend": self.content}.get(self.shape)
        return str(drawn[0].svg) if drawn else ""


@dataclass(frozen=True)
class Place:
    """A piece that is loaded later: its name, its heading, and its address."""

    name: str
    heading: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A page: its title, facts, groups of links, and pieces, loaded or not.

    given: the parameters of its address that are read otherwise than they are written; those of its pieces, in the end.
    settings: the form of its settings. beside: of the form that compares it with another, x, its subcorpus, and all
    subcorpora. form: values of its own form.
    """

    title: str
    kind: str = ""
    facts: Sequence[Cell] = ()
    groups: Sequence[tuple[str, Sequence[Link]]] = ()
    pieces: Sequence[Piece | Place] = ()
    notes: Sequence[str] = ()
    query: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    settings: Any = None
    beside: dict[str, Any] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)
    template: str = "page.html"


def format_thousands(value: float | None, digits: int = 4) -> str:
    """Return a number with commas between thousands and, unless it is an integer, a fixed number of digits."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def count_cell(count: int | None, href: str) -> Cell:
    """Return a count with a link to its sentences; a count of 0 has none."""
    return Cell(format_thousands(count), href if count else "", value=count, is_count=True)


def figure(value: float | None, digits: int = 4, href: str = "", share: float | None = None) -> Cell:
    """Return a number that is no count, with the length of its bar."""
    return Cell(format_thousands(value, digits), href, share, value=value)


def shares(values: Sequence[float | None], most: float | None = None) -> list[float | None]:
    """Return the lengths of bars for some values, from 0. most: the value of a whole bar; None for the greatest."""
    most = most or max((abs(each) for each in values if each is not None), default=0.0)
    return [None if each is None or not most else abs(each) / most for each in values]


Values = Mapping[str, str]


@dataclass(frozen=True)
class Asking:
    """The request for a page: a lexicon, addresses, and parameters.

    weights: kept weights of ppmi. near: a function that returns precomputed neighbours. how: settings and view.
    """

    lexicon: Lexicon
    links: Links
    given: Values
    weights: str | None = None
    near: Callable[[str], Result | None] = lambda _: None
    how: How = PLAIN

    def get(self, name: str) -> str | None:
        """Return a parameter of the address; None if it is missing."""
        return self.given.get(name) or None


@dataclass(frozen=True)
class Kind:
    """A kind of page.

    takes: allowed parameters. needs: required parameters. head: the function that makes the page, all pieces to come.
    pieces: the functions that make each piece. at_once: the number of pieces that are made with the page.
    """

    takes: Sequence[str]
    needs: Sequence[str]
    head: Callable[[Asking], Page]
    pieces: Mapping[str, Callable[[Asking], Piece]]
    at_once: int = 1
