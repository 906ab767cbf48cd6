"""What an address sets: how weights are made and compared, and how the tables of each piece are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any, get_args

from aptdb.core.composition import Merge
from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared, dictionary_of
from aptdb.core.schemes import DEFAULT_WEIGHTS, SCHEMES, Counts
from aptdb.core.vector_parameters import Measure
from aptdb.lexicon import Lexicon

OF_WEIGHTS = ("weights", "shift", "measure", "counts")
# The settings that pages take, beside their subcorpus.
SETTINGS: Mapping[str, Sequence[str]] = {
    "lexeme": (*OF_WEIGHTS, "space", "score"),
    "phrase": (*OF_WEIGHTS, "space", "merge"),
    "compare": (*OF_WEIGHTS, "score"),
    "words": (),
}
WORDS = {  # of each setting, in a sentence
    "weights": "weights by {}", "shift": "shifted by ln {}", "measure": "similarity by {}", "counts": "{} counts",
    "score": "sketches by {}", "space": "neighbours in the space {}", "merge": "merged by {}",
    "subcorpus": "in the subcorpus {}",
}  # fmt: skip
NO_SPACE = "all features"  # what is chosen against the usual space; no space can be called so
DEFAULTS = {
    "weights": DEFAULT_WEIGHTS, "shift": "1, no shift", "measure": "cosine",
    "counts": "direct in sketches, packed in weights", "score": "log_dice", "merge": "sum",
    "space": NO_SPACE,
}  # fmt: skip
BESIDE_SPACE = (*OF_WEIGHTS, "space", "merge")  # where one of these is set, there is no usual space
OWN_WEIGHTS = "explorer_"  # begins the names of weights that only the copy has
DEEP = 200  # rows of a ranking that are looked through where it is sorted or filtered
MOST_ROWS = 1000
ON_PAGE = 50  # rows, where an address names a page and no number of rows
FILE_ROWS = 100_000  # of each table of a file
MOST_SHIFT = 1e9
PARTS = ("sort", "has", "pos", "least", "top", "page", "only")  # of a view, in addresses


@dataclass(frozen=True)
class View:
    """How the tables of a piece are shown. sort: a column, with - for the greatest first.

    has: a text that rows have. pos: the part of speech of their lexemes. least: their least count. top: how many are
    shown of each table, on a page. page: which of these is shown. only: the path of the only table that is shown.
    """

    sort: str = ""
    has: str = ""
    pos: str = ""
    least: int | None = None
    top: int | None = None
    page: int = 1
    only: str | None = None

    @property
    def is_chosen(self) -> bool:
        """Return whether rows are sorted or filtered."""
        return bool(self.sort or self.has or self.pos or self.least)

    def depth(self, default: int) -> int:
        """Return how many rows of a ranking to ask for."""
        wanted = self.top or default
        return max(wanted, DEEP) if self.is_chosen else wanted


@dataclass(frozen=True)
class How:
    """How a piece is asked for: the settings of its page, and its view.

    own: the settings of the address alone. usual: the space in which neighbours are found where nothing is set.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    view: View = field(default_factory=View)
    own: Mapping[str, Any] = field(default_factory=dict)
    usual: str | None = None

    def of(self, method: str, *but: str) -> dict[str, Any]:
        """Return the settings that a question takes, without some."""
        return {name: value for name, value in self.settings.items() if name not in but and name in taken_by(method)}


@cache
def taken_by(method: str) -> frozenset[str]:
    """Return the names of the parameters of a question."""
    return frozenset(declared(dictionary_of(attrgetter(method)(Lexicon).__wrapped__)[1]))


PLAIN = How()


@dataclass(frozen=True)
class Choice:
    """A setting that a page offers. values: its values; () for a number. default: what holds without one."""

    name: str
    values: Sequence[str]
    value: str
    default: str


@dataclass(frozen=True)
class SettingsForm:
    """The form of a page's settings.

    action: the address that it asks. subcorpora: those that can be chosen, and the chosen one. kept: other parameters.
    said: the settings in words; '' if nothing is set. reset: the address without settings.
    """

    action: str
    choices: Sequence[Choice]
    subcorpora: Sequence[str]
    subcorpus: str
    kept: Mapping[str, str]
    said: str
    reset: str


def choices(lexicon: Lexicon, page: str, given: Mapping[str, str], usual: str | None = None) -> list[Choice]:
    """Return the settings that a page offers. usual: the space in which neighbours are found where nothing is set."""
    known = [str(each) for each in lexicon.stored.spaces().column("space")]
    values: Mapping[str, Sequence[str]] = {
        "weights": list_page_weights(lexicon),
        "measure": get_args(Measure),
        "merge": get_args(Merge),
        "counts": get_args(Counts),
        "score": [*SCHEMES],
        "space": [*known, *([NO_SPACE] if usual or given.get("space") == NO_SPACE else [])],
    }
    offered = [each for each in SETTINGS.get(page, ()) if each != "space" or known or given.get("space")]
    defaults = DEFAULTS | ({"space": f"{usual}, if nothing else is set"} if usual else {})
    return [Choice(each, values.get(each, ()), given.get(each) or "", defaults[each]) for each in offered]


def with_usual_space(settings: Mapping[str, Any], usual: str | None) -> dict[str, Any]:
    """Return the settings of an address with the usual space, if nothing is set that is otherwise in a space."""
    if settings.get("space") == NO_SPACE:
        return {name: value for name, value in settings.items() if name != "space"}
    is_usual = usual is not None and settings.keys().isdisjoint(BESIDE_SPACE)
    return dict(settings) | ({"space": usual} if is_usual else {})


def list_page_weights(lexicon: Lexicon) -> list[str]:
    """Return the schemes, and the weightings of the lexicon."""
    own = [str(each) for each in lexicon.stored.weightings().column("name")]
    return [*SCHEMES, *(each for each in own if each not in SCHEMES and not each.startswith(OWN_WEIGHTS))]


def read_page_settings(lexicon: Lexicon, page: str, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of an address. Raise QuestionError for an unknown value."""
    if not any(given.get(each) for each in SETTINGS.get(page, ())):
        return {}
    found: dict[str, Any] = {}
    for each in choices(lexicon, page, given):
        if each.value and each.value not in each.values and (each.values or each.name == "space"):
            known = [value for value in each.values if each.name != "space" or value != NO_SPACE]
            there = f"available: {', '.join(known)}" if known else "none is stored"
            raise QuestionError(f"no {each.name} {each.value:.60}; {there}")
        if each.value:
            found[each.name] = each.value if each.values else at_least_1(each.name, each.value)
    weights = found.get("weights", DEFAULT_WEIGHTS)
    if "shift" in found and not (weights in SCHEMES and SCHEMES[weights].of_pmi):
        able = ", ".join(name for name, each in SCHEMES.items() if each.of_pmi)
        raise QuestionError(f"the weights {weights} take no shift; {able} do")
    return found


def at_least_1(name: str, text: str) -> float:
    """Return a number in an address. Raise QuestionError for other text."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value <= MOST_SHIFT:
        raise QuestionError(f"{name} is {text!r:.60}; expected a number from 1 to {MOST_SHIFT:,.0f}")
    return value


def of_space(how: How, but: str = "") -> list[str]:
    """Return the note of the reduced space in which neighbours are found. but: what it leaves out."""
    space = how.settings.get("space")
    return [f"Found in the reduced space {space}{but}; the settings offer all features, too."] if space else []


def least_of(lexicon: Lexicon, how: How) -> int | None:
    """Return how often a neighbour must occur: as the address says, but as often as the space has vectors for."""
    if how.view.least is None or (space := how.settings.get("space")) is None:
        return how.view.least
    return max(
        [how.view.least, *(int(row["least_frequency"]) for row in lexicon.stored.spaces() if row["space"] == space)]
    )


def with_bare_words(how: How) -> dict[str, str]:
    """Return the parameter by which a space leaves out the words of a phrase that have none of its features."""
    return {"missing": "skip"} if how.settings.get("space") else {}


def say_settings(settings: Mapping[str, Any], subcorpus: str | None) -> str:
    """Return the settings of a page as a sentence; '' if nothing is set."""
    found = dict(settings) | ({"subcorpus": subcorpus} if subcorpus else {})
    if found.get("space") == NO_SPACE:
        found["space"] = f"of {NO_SPACE}"
    named = [WORDS[name].format(f"{value:g}" if isinstance(value, float) else value) for name, value in found.items()]
    return f"Set here: {', '.join(named)}." if named else ""


def read_table_view(piece: str, given: Mapping[str, str]) -> View:
    """Return how an address shows the tables of a piece. Raise QuestionError for a wrong number."""
    parts = {part: given.get(f"{piece}.{part}") or "" for part in PARTS}
    least, top, page = (
        read_number_in_address(f"{piece}.{part}", parts[part], most) if parts[part] else None
        for part, most in (("least", 10**12), ("top", MOST_ROWS), ("page", FILE_ROWS))
    )
    if page is not None and page > 1:
        top = top or ON_PAGE
    only = parts["only"].removeprefix("ε") if parts["only"] else None
    return View(parts["sort"], parts["has"].strip(), parts["pos"].strip(), least, top, page or 1, only)


def read_number_in_address(name: str, text: str, most: int) -> int:
    """Return a number in an address. Raise QuestionError for other text."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise QuestionError(f"{name} is {text!r:.60}; expected a whole number from 1 to {most:,}")
    return int(text)


def of_views(pieces: Sequence[str]) -> list[str]:
    """Return the parameters of an address for the views of some pieces."""
    return [f"{piece}.{part}" for piece in pieces for part in PARTS]
