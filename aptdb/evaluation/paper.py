"""What the paper reports in its section 5: neighbours (tables 2 to 4), correlations (tables 5 and 6), corpus sizes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """A list of ten neighbours in the paper: its table, the phrase, how it is composed (None: a single noun)."""

    table: int
    adjective: str | None
    noun: str
    merge: str | None
    aligned: bool | None
    neighbours: tuple[str, ...]


def listed(table: int, phrase: str, merge: str | None, aligned: bool | None, neighbours: str) -> Listed:
    """A list as the paper prints it."""
    *adjective, noun = phrase.split()
    return Listed(table, adjective[0] if adjective else None, noun, merge, aligned, tuple(neighbours.split()))


WIKIPEDIA = ("clean_wiki", 600_000_000)  # the paper's name for a corpus, and about how many tokens it has
BNC = ("BNC", 100_000_000)
CONCAT = ("concat", 2_800_000_000)

# "e-magnetism" is the paper's own abbreviation for electro-magnetism.
NEIGHBOURS = (
    listed(2, "shoot", None, None, "shot leaf shooting fight scene video tour footage interview flower"),
    listed(2, "green shoot", "sum", True, "shoot leaf flower fruit orange tree color shot colour cover"),
    listed(2, "six-week shoot", "sum", True, "shoot tour shot break session show shooting concert interview leaf"),
    listed(2, "green shoot", "sum", False, "shoot shot leaf shooting fight scene video tour flower footage"),
    listed(2, "six-week shoot", "sum", False, "shoot shot shooting leaf scene video fight footage photo interview"),
    # The same list as in table 2, printed in another order.
    listed(3, "shoot", None, None, "shot leaf shooting fight scene video tour flower footage interview"),
    listed(3, "green shoot", "min", True, "shoot leaf fruit stalk flower twig sprout bud shrub inflorescence"),
    listed(
        3, "six-week shoot", "min", True,
        "shoot photoshoot taping tour airing rehearsal broadcast session q&a post-production",
    ),
    listed(
        3, "green shoot", "min", False,
        "shoot pyrite plosive handlebars annual roundel affricate phosphor connections reduplication",
    ),
    listed(
        3, "six-week shoot", "min", False,
        "e/f uemtsu confederations shortlist all-ireland dern gerwen tactics backstroke gabler",
    ),
    listed(
        4, "group", None, None,
        "group organization organisation company community corporation unit movement association society",
    ),
    listed(
        4, "musical group", "sum", True,
        "group company band music movement community society corporation category association",
    ),
    listed(
        4, "ethnic group", "sum", True,
        "group organization organisation community company movement society minority unit entity",
    ),
    listed(4, "musical group", "min", True, "group band troupe ensemble artist trio genre music duo supergroup"),
    listed(
        4, "ethnic group", "min", True,
        "group community organization grouping sub-group faction ethnicity minority organisation tribe",
    ),
    listed(4, "body", None, None, "body board organization entity skin head organisation structure council eye"),
    listed(
        4, "human body", "sum", True,
        "body organization structure entity organisation skin brain eye object organ",
    ),
    listed(
        4, "legislative body", "sum", True,
        "body council committee board authority assembly organisation agency commission entity",
    ),
    listed(
        4, "human body", "min", True,
        "body organism organization entity embryo brain community organelle institution cranium",
    ),
    listed(
        4, "legislative body", "min", True,
        "body council committee board legislature secretariat authority assembly power office",
    ),
    listed(4, "work", None, None, "study project book activity effort publication job program writing piece"),
    listed(
        4, "social work", "sum", True,
        "work activity study project program practice development aspect book effort",
    ),
    listed(
        4, "literary work", "sum", True,
        "work book study novel project publication text literature story writing",
    ),
    listed(
        4, "social work", "min", True,
        "work research study writings endeavour project discourse topic development teaching",
    ),
    listed(
        4, "literary work", "min", True,
        "work writings treatise essay poem book novel monograph poetry writing",
    ),
    listed(4, "field", None, None, "facility stadium area complex ground pool base space centre park"),
    listed(
        4, "athletic field", "sum", True,
        "field facility stadium gymnasium basketball sport center softball gym arena",
    ),
    listed(
        4, "magnetic field", "sum", True,
        "field component stadium facility track ground system complex parameter pool",
    ),
    listed(
        4, "athletic field", "min", True,
        "field gymnasium fieldhouse stadium gym arena rink softball cafeteria ballpark",
    ),
    listed(
        4, "magnetic field", "min", True,
        "field wavefunction spacetime flux subfield perturbation vector e-magnetism formula_8 scalar",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Reported:
    """A row of the paper's table 5 or 6: a model, its parameters here (None: it is not measured), and its ρ by part.

    Each ρ is text, as the paper prints it: some are NaN or a range.
    """

    model: str
    parameters: dict[str, object] | None
    rho: dict[str, str]
    untyped: bool = False


PARTS = ("adjectivenouns", "compoundnouns", "verbobjects", "average")  # the columns AN, NN, VO and Average


def by_part(printed: str) -> dict[str, str]:
    """The four columns of a row of table 5; a dash is a blank."""
    return {part: rho for part, rho in zip(PARTS, printed.split(), strict=True) if rho != "-"}


# M&L are Mitchell & Lapata, B&L Blacoe & Lapata.
TABLE_5 = (
    Reported("min, k = 1", {"merge": "min", "shift": 1}, by_part("-0.09 0.43 0.35 0.23")),
    # The average counts the NaN as 0: all intersections of adjectives and nouns were empty.
    Reported("min, k = 10", {"merge": "min", "shift": 10}, by_part("NaN 0.23 0.26 0.16")),
    Reported("sum, k = 1", {"merge": "sum", "shift": 1}, by_part("0.47 0.37 0.40 0.41")),
    Reported("sum, k = 10", {"merge": "sum", "shift": 10}, by_part("0.45 0.42 0.42 0.43")),
    Reported("untyped, mult (M&L 2010)", {"merge": "mult"}, by_part("0.46 0.49 0.37 0.44"), untyped=True),
    Reported("untyped, mult (B&L 2012)", None, by_part("0.48 0.50 0.35 0.44")),
    Reported("untyped, sum", {"merge": "sum"}, {}, untyped=True),
    Reported("DM, add (B&L 2012)", None, by_part("0.37 0.30 0.29 0.32")),
    Reported("NLM, add (B&L 2012)", None, by_part("0.28 0.26 0.24 0.26")),
    Reported("humans (M&L 2010)", None, by_part("0.52 0.49 0.55 0.52")),
)
TABLE_6 = (
    Reported("min, k = 1", {"merge": "min", "shift": 1}, {"all": "0.23"}),
    Reported("min, k = 10", {"merge": "min", "shift": 10}, {"all": "0.13"}),
    Reported("sum, k = 1", {"merge": "sum", "shift": 1}, {"all": "0.20"}),
    Reported("sum, k = 10", {"merge": "sum", "shift": 10}, {"all": "0.26"}),
    Reported("multi-step regression (Grefenstette et al. 2013)", None, {"all": "0.23"}),
    Reported("lexical function (Dinu et al. 2013)", None, {"all": "0.23–0.26"}),
    Reported("untyped, mult (Dinu et al. 2013)", {"merge": "mult"}, {"all": "0.20–0.22"}, untyped=True),
    Reported("untyped, sum", {"merge": "sum"}, {}, untyped=True),
    Reported("full additive (Dinu et al. 2013)", None, {"all": "0–0.05"}),
    Reported("humans (M&L 2008)", None, {"all": "0.40"}),
)
