"""Parameters of the questions that compare two subcorpora or lexicons."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from aptdb.core.parameters import Group, Parameter
from aptdb.core.schemes import OfDirectCounts


class PhraseKeyness(TypedDict, total=False):
    """Parameters of `phrase_keyness`: how two subcorpora are compared."""

    overlap: Annotated[
        Literal["refuse", "difference"],
        Parameter(
            Group.ANSWER,
            "Where A and B share sentences: refuse, or compare A with the difference, what of B is not in A.",
            default="refuse",
            metavar="WHAT",
        ),
    ]
    dispersion: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show in how many documents of A an item is, and Gries' DP.",
            default=True,
            flag="--dispersion/--no-dispersion",
        ),
    ]
    documents: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "What tells documents apart: document, or a column of metadata, e.g. work.",
            default="document",
            metavar="COLUMN",
        ),
    ]


class Keyness(OfDirectCounts, PhraseKeyness, total=False):
    """Parameters of `keyness`."""

    of: Annotated[
        Literal["lexemes", "cooccurrences", "paths"],
        Parameter(Group.ANSWER, "What is compared: {values}.", default="lexemes", metavar="WHAT"),
    ]
    pos: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "Of which parts of speech, on both ends of a co-occurrence or path: content words, any, or tags, e.g. "
            "NOUN,VERB.",
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
        Parameter(
            Group.ANSWER,
            "Of co-occurrences and paths, only those of up to N steps. [default: all]",
            expected="0 or more",
            least=0,
        ),
    ]
    negative: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show only what is less frequent in A; else what is more frequent comes first.",
            default=False,
            flag="--negative/--positive",
        ),
    ]
    min_count: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Leave out what both together count fewer than N times.",
            default=5,
            expected="1 or more",
            least=1,
        ),
    ]
    other: Annotated[
        str | None,
        Parameter(Group.ANSWER, "Another lexicon that is attached, by its name, in place of B.", metavar="NAME"),
    ]
    top: Annotated[
        int | None,
        Parameter(Group.ANSWER, "Show only the first N. [default: all]", expected="0 or more", least=0),
    ]
