"""Parameters of the questions about what is counted: lexemes, sketches and keyness; and of drawings."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from aptdb.core.composition import Weighing
from aptdb.core.parameters import Group, Parameter
from aptdb.core.schemes import SCHEMES, OfDirectCounts, OfSubcorpus, OfSubcorpusB, SchemeName


class Lexemes(TypedDict, total=False):
    """Parameters of `lexemes`, without the pattern and the subcorpus."""

    regex: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "The pattern is a regular expression, or has * for any letters and ? for any one.",
            default=False,
            flag="--regex/--glob",
        ),
    ]
    pos: Annotated[
        str | None, Parameter(Group.ANSWER, "Their part of speech, e.g. NOUN. [default: any]", metavar="TAG")
    ]
    min_frequency: Annotated[
        int | None, Parameter(Group.ANSWER, "Leave out lexemes that occur fewer than N times. [default: none]", least=0)
    ]
    sort: Annotated[
        Literal["frequency", "lexeme"],
        Parameter(Group.ANSWER, "Sort by {values}.", default="frequency", metavar="WHICH"),
    ]
    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the first N. [default: all]", least=0)]


class Collocating(OfSubcorpus, OfDirectCounts, total=False):
    """Parameters that `sketch` and `sketch_diff` share."""

    score: Annotated[
        SchemeName,
        Parameter(Group.WEIGHTS, "How typical a collocate is: {values}.", default="log_dice", metavar="SCHEME"),
    ]
    relations: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.ANSWER, "Only these: labels (amod) or paths (<obj, ε). [default: all but ε]", metavar="REL,..."
        ),
    ]
    max_order: Annotated[int, Parameter(Group.ANSWER, "Look along paths of up to N steps.", default=1, least=0)]
    min_count: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "Leave out collocates that are counted fewer than N times. [default: 1; 2 from 500,000 tokens on, 3 "
            "from 5 million, 4 from 30, 5 from 100]",
            least=0,
        ),
    ]
    top_relations: Annotated[
        int | None, Parameter(Group.ANSWER, "Show only the N strongest relations. [default: all]", least=1)
    ]
    everything: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show function words (DET, PUNCT, …) and ε, or leave them out.",
            default=False,
            flag="--all/--content",
        ),
    ]


class Sketching(Collocating, total=False):
    """Parameters of `sketch`."""

    top: Annotated[
        int | None, Parameter(Group.ANSWER, "How many collocates to show of each relation.", default=10, least=1)
    ]
    examples: Annotated[
        bool,
        Parameter(
            Group.ANSWER, "Show the best sentence of each collocate.", default=False, flag="--examples/--no-examples"
        ),
    ]
    span: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "Show words within N tokens on either side, in place of relations. [default: relations]",
            least=1,
            most=1000,
        ),
    ]


class SketchingPair(Collocating, OfSubcorpusB, total=False):
    """Parameters of `sketch_diff`."""

    top: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "For each relation, show N collocates of A alone, N of B alone, and N that both have.",
            default=5,
            least=1,
        ),
    ]


class Drawn(Weighing, total=False):
    """Parameters of `draw`."""

    weights: Annotated[  # type: ignore[misc]  # another default than that of other questions
        str | None,
        Parameter(
            Group.WEIGHTS,
            f"{', '.join(SCHEMES)}; a weighting of yours (aptdb weigh); or a view or table of your own. [default: lmi]",
            metavar="NAME",
            in_sql=False,
        ),
    ]
    top: Annotated[
        int, Parameter(Group.ANSWER, "Show the N heaviest contexts at each node.", default=5, least=0, in_sql=False)
    ]
    max_nodes: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Draw the N nodes that lead to the most weight, and a phrase's own tree.",
            default=16,
            least=1,
            in_sql=False,
        ),
    ]
    order: Annotated[
        int | None, Parameter(Group.ANSWER, "Draw paths of up to N steps. [default: all]", least=0, in_sql=False)
    ]
    relations: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.ANSWER,
            "Draw only paths of these: labels (amod) or steps (<obj). [default: all]",
            metavar="REL,...",
            in_sql=False,
        ),
    ]


class OfOverlap(TypedDict, total=False):
    """How subcorpora are compared that share sentences."""

    overlap: Annotated[
        Literal["refuse", "difference"],
        Parameter(
            Group.ANSWER,
            "If A and B share sentences: refuse, or compare A with the difference, the part of B that is not in A.",
            default="refuse",
            metavar="WHAT",
        ),
    ]


class OfItems(TypedDict, total=False):
    """Which items of a comparison are shown."""

    min_count: Annotated[
        int,
        Parameter(
            Group.ANSWER, "Leave out items that occur fewer than N times in A and B together.", default=5, least=1
        ),
    ]
    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the first N. [default: all]", least=0)]


class OverDocuments(TypedDict, total=False):
    """What the dispersion of an item is over."""

    documents: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "The column that names a document: document, or one of metadata, e.g. work.",
            default="document",
            metavar="COLUMN",
        ),
    ]


class PhraseKeyness(OfOverlap, OverDocuments, total=False):
    """Parameters of `phrase_keyness`: how two subcorpora are compared."""

    dispersion: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show in how many documents of A an item is, and Gries' DP.",
            default=True,
            flag="--dispersion/--no-dispersion",
        ),
    ]


class PatternKeyness(OfOverlap, OfItems, total=False):
    """Parameters of `pattern_keyness`."""


class Keyness(OfDirectCounts, PhraseKeyness, OfItems, total=False):
    """Parameters of `keyness`."""

    of: Annotated[
        Literal["lexemes", "cooccurrences", "paths"],
        Parameter(Group.ANSWER, "What is compared: {values}.", default="lexemes", metavar="WHAT"),
    ]
    pos: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "Parts of speech: content, any, or e.g. NOUN,VERB; at both ends of co-occurrences and paths.",
            default="content",
            metavar="TAG,...",
        ),
    ]
    relations: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.ANSWER,
            "Of co-occurrences and paths, only these: labels (amod) or paths (<obj). [default: all]",
            metavar="REL,...",
        ),
    ]
    max_order: Annotated[
        int | None,
        Parameter(Group.ANSWER, "Of co-occurrences and paths, only those of up to N steps. [default: all]", least=0),
    ]
    negative: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show only items that are less frequent in A. Without it, those that are more frequent come first.",
            default=False,
            flag="--negative/--positive",
        ),
    ]
    other: Annotated[
        str | None,
        Parameter(Group.ANSWER, "Another lexicon that is attached, by its name, in place of B.", metavar="NAME"),
    ]
