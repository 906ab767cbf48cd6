"""The schemes that weigh counts, and their parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from aptdb.core.parameters import Group, Parameter, declared

CdsTotal = Literal["sum_of_powers", "power_of_sum"]
Scope = Literal["path", "all"]
Counts = Literal["packed", "direct"]
DEFAULT_WEIGHTS = "ppmi"
SchemeName = Literal["raw_count", "probability", "pmi", "ppmi", "lmi", "log_dice", "log_likelihood"]


@dataclass(frozen=True)
class Scheme:
    """A way to weigh counts. meaning: what a row of it is. of_pmi: whether it takes the parameters of pmi."""

    meaning: str
    of_pmi: bool = False


# What each computes of counts stands in `sql/questions/define/scheme_weights.sql`.
SCHEMES: Mapping[SchemeName, Scheme] = {
    "raw_count": Scheme("a co-occurrence and its count"),
    "probability": Scheme("a co-occurrence and its share of all co-occurrences of its lexeme"),
    "pmi": Scheme(
        "a co-occurrence and its pointwise mutual information (the paper's section 5.1), minus ln shift", of_pmi=True
    ),
    "ppmi": Scheme("a co-occurrence whose pmi is above 0, and the pmi", of_pmi=True),
    "lmi": Scheme("a co-occurrence and its local mutual information, its count times its pmi", of_pmi=True),
    "log_dice": Scheme("a co-occurrence and its logDice: 14 if the two words occur only together along the path"),
    "log_likelihood": Scheme(
        "a co-occurrence and its G² (Dunning 1993), negative if the words occur together less often than by chance"
    ),
}


class Weighted(TypedDict, total=False):
    """The weighting of a question."""

    weights: Annotated[
        str,
        Parameter(
            Group.WEIGHTS,
            f"{', '.join(SCHEMES)}; a weighting of yours (aptdb weigh); or a view or table of your own.",
            default=DEFAULT_WEIGHTS,
            metavar="NAME",
        ),
    ]


class OfPmi(TypedDict, total=False):
    """Parameters of pmi, and of the schemes that are made of it."""

    cds: Annotated[
        float,
        Parameter(
            Group.WEIGHTS,
            "Context distribution smoothing: raise the counts of features to the power ALPHA, above 0 and at most 1.",
            unset=1,
            above=0,
            most=1,
            metavar="ALPHA",
            rare=True,
        ),
    ]
    cds_total: Annotated[
        CdsTotal,
        Parameter(
            Group.WEIGHTS,
            "What smoothed counts are compared with: {values}.",
            unset="sum_of_powers",
            metavar="HOW",
            rare=True,
        ),
    ]
    scope: Annotated[
        Scope,
        Parameter(
            Group.WEIGHTS,
            "Compare a feature with the others of its path, or of all paths: {values}.",
            unset="path",
            metavar="WHICH",
            of_paths=True,
            rare=True,
        ),
    ]
    shift: Annotated[
        float,
        Parameter(
            Group.WEIGHTS,
            "Subtract ln K from PMI; a larger K drops weak associations (try 5 to 10).",
            unset=1,
            least=1,
            most=1e9,  # no PMI is as high as its logarithm
            metavar="K",
        ),
    ]


class Filters(TypedDict, total=False):
    """Parameters of every scheme: what they leave out is no weight. Marginals stay whole."""

    min_count: Annotated[
        int, Parameter(Group.WEIGHTS, "Ignore co-occurrences that are counted fewer than N times.", least=0)
    ]
    min_feature_count: Annotated[
        int, Parameter(Group.WEIGHTS, "Ignore features that are counted fewer than N times in all.", least=0)
    ]
    max_order: Annotated[int, Parameter(Group.WEIGHTS, "Ignore paths of more than N steps.", least=0, of_paths=True)]


class OfLexemes(TypedDict, total=False):
    """The least frequency of a lexeme that has weights."""

    min_frequency: Annotated[int, Parameter(Group.WEIGHTS, "Ignore lexemes that occur fewer than N times.", least=0)]


class Heaviest(TypedDict, total=False):
    """The number of weights that are kept of each lexeme."""

    top_features: Annotated[
        int, Parameter(Group.WEIGHTS, "Keep only the N heaviest features of each lexeme.", least=1, rare=True)
    ]
    top_features_per_path: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Keep only the N heaviest features of each lexeme along each path.",
            least=1,
            of_paths=True,
            rare=True,
        ),
    ]


class OfSubcorpus(TypedDict, total=False):
    """The subcorpus whose counts are weighed."""

    subcorpus: Annotated[
        str,
        Parameter(
            Group.WEIGHTS, "Use only a subcorpus (aptdb subcorpus). [default: the whole lexicon]", metavar="NAME"
        ),
    ]


class OfCounts(TypedDict, total=False):
    """Which counts are weighed."""

    counts: Annotated[
        Counts,
        Parameter(
            Group.WEIGHTS,
            "Weigh packed counts, as the paper has it, or direct ones, of the trees themselves: {values}.",
            unset="packed",
            metavar="WHICH",
        ),
    ]


class OfDirectCounts(TypedDict, total=False):
    """Which counts are shown."""

    counts: Annotated[
        Counts | None,
        Parameter(
            Group.WEIGHTS,
            "Take direct counts, of the trees themselves, or packed ones, of trees whose nodes are merged: {values}. "
            "[default: direct, or packed where the lexicon has no direct ones]",
            metavar="WHICH",
        ),
    ]


class OfSubcorpusB(TypedDict, total=False):
    """The subcorpus of the second side of a comparison."""

    subcorpus_b: Annotated[str, Parameter(Group.WEIGHTS, "The subcorpus of B, if it differs from A's.", metavar="NAME")]


class OfScheme(OfPmi, Filters, Heaviest, OfSubcorpus, OfCounts, total=False):
    """Parameters of a scheme, without the minimum frequency of a lexeme."""


class OfWeighting(OfPmi, Filters, OfLexemes, Heaviest, OfSubcorpus, OfCounts, total=False):
    """All parameters of a scheme, as a weighting records them."""


class Export(Weighted, OfWeighting, total=False):
    """Parameters of the weights of all lexemes."""


class Exported(Export, total=False):
    """Parameters of an export: the weights, and of which lexemes."""

    pos: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "Write only lexemes of this part of speech, e.g. NOUN, or of several, e.g. NOUN,VERB. Their contexts may "
            "be any.",
            metavar="TAG,...",
            in_sql=False,
        ),
    ]


# What may leave nothing, and other parameters that are named beside it.
FILTERS = ("shift", *declared(Filters), *declared(OfLexemes), *declared(Heaviest), "subcorpus")
WEIGHING = ("weights", "cds", "scope", "merge", "context")


def note_weights(parameters: Mapping[str, object]) -> str:
    """Return the given filters and weights in brackets, for the message of an empty answer; '' without any."""
    named = [f"{name} := {value}" for name, value in parameters.items() if name in (*FILTERS, *WEIGHING)]
    return f" ({', '.join(named)})" if named else ""
