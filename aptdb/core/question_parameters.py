"""The parameters of the questions about vectors and neighbours, and which question takes which."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Literal, TypedDict

from aptdb.core.composition import Anchored, Composition, Features, OfMissing, PerPath, Weighing
from aptdb.core.count_parameters import (
    Keyness,
    Lexemes,
    OverDocuments,
    PatternKeyness,
    PhraseKeyness,
    Sketching,
    SketchingPair,
)
from aptdb.core.errors import QuestionError
from aptdb.core.parameters import Group, Parameter, declared
from aptdb.core.schemes import Exported, OfDirectCounts, OfScheme, OfSubcorpus, OfSubcorpusB, OfWeighting, Weighted
from aptdb.core.vector_parameters import InSpace, Measuring, PathWeighting

NEAR = 0.7  # how alike names are, as difflib counts, before one is suggested for the other


class OfNeighbours(TypedDict, total=False):
    """Parameters that select neighbours."""

    top: Annotated[int, Parameter(Group.ANSWER, "How many neighbours to show for each.", default=10, least=0)]
    pos: Annotated[
        str,
        Parameter(Group.ANSWER, "Only this part of speech: same, any, or e.g. NOUN.", default="same", metavar="TAG"),
    ]
    min_frequency: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "Ignore neighbours that occur fewer than N times. [default: one per 25,000 tokens of the lexicon, 1 to 50]",
            least=0,
        ),
    ]


class MostSimilar(InSpace, OfMissing, OfNeighbours, Measuring, Weighted, OfScheme, total=False):
    """Parameters of `most_similar`."""


class DoesntMatch(InSpace, OfMissing, Measuring, Weighted, OfWeighting, total=False):
    """Parameters of `doesnt_match`."""


class WithCounts(TypedDict, total=False):
    """Whether contexts are returned with their counts."""

    show_counts: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show how often each is counted, too.",
            default=False,
            flag="--show-counts/--hide-counts",
            in_sql=False,
        ),
    ]


Among = Literal["lexemes", "entries", "all"]
StoredKind = Literal["subcorpora", "weightings", "spaces", "senses", "entries"]  # each is made only of those before


class ComparingEach(InSpace, Measuring, Weighing, total=False):
    """Parameters of the questions about several vectors."""


class Model(InSpace, Measuring, Weighted, OfWeighting, Composition, total=False):
    """Parameters of an evaluation: each is one value or a list; missing words are handled by a parameter of its own."""


class OfB(OfSubcorpusB, total=False):
    """Parameters of the second of two vectors, where they are others than the first's."""

    anchor_b: Annotated[int, Parameter(Group.PHRASES, "The anchor of B, if it differs from A's.", metavar="I")]


class Comparing(ComparingEach, OfB, total=False):
    """Parameters of the questions about two vectors."""


class Explaining(InSpace, Measuring, Weighing, OfB, total=False):
    """Parameters of `explain`."""

    top: Annotated[int, Parameter(Group.ANSWER, "How many features to show one by one.", default=10, least=0)]


class Entailing(PathWeighting, Weighing, OfB, total=False):
    """Parameters of `entails`."""

    top: Annotated[int, Parameter(Group.ANSWER, "How many features to show one by one.", default=10, least=0)]


class Differing(Weighing, OfB, WithCounts, total=False):
    """Parameters of `diff`."""

    lean: Annotated[
        float,
        Parameter(
            Group.ANSWER,
            "A context is typical of one side if its weight there is RATIO times as heavy or more.",
            default=2,
            least=1,
            metavar="RATIO",
        ),
    ]
    per_path: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "For each path, show the N most typical contexts of A, of B, and of both.",
            default=5,
            least=1,
        ),
    ]


class CountedFeatures(Features, WithCounts, total=False):
    """Parameters of `apt`."""


class Observed(Weighted, OfScheme, PerPath, total=False):
    """Parameters of `observed`."""


class Compositional(InSpace, Measuring, Weighted, OfWeighting, Composition, total=False):
    """Parameters of `compositionality`."""

    own_occurrences: Annotated[
        bool,
        Parameter(
            Group.PHRASES,
            "Count the phrase's own occurrences among those of its head and its dependent, too.",
            default=False,
            flag="--own-occurrences/--no-own-occurrences",
        ),
    ]


class RankingEach(Measuring, Weighted, OfScheme, Composition, total=False):
    """Parameters of the questions about all vectors; the word from which a phrase is seen is part of the question."""

    among: Annotated[
        Among,
        Parameter(
            Group.ANSWER, "Rank lexemes, entries (aptdb apt --save), or all.", default="lexemes", metavar="WHICH"
        ),
    ]


class Contextualising(InSpace, OfNeighbours, RankingEach, total=False):
    """Parameters of `contextualise`."""


class Neighbours(Contextualising, Anchored, total=False):
    """Parameters of `neighbours`."""

    frequencies: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show how often each lexeme occurs, too.",
            default=False,
            flag="--frequencies/--no-frequencies",
            in_sql=False,
        ),
    ]


class Thesaurus(InSpace, OfNeighbours, Measuring, Weighted, OfScheme, total=False):
    """Parameters of `thesaurus`."""


class Substituting(Anchored, OfNeighbours, RankingEach, total=False):
    """Parameters of `substitutes`."""


class Candidates(TypedDict, total=False):
    """Candidates for a gap."""

    candidates: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.ANSWER, "What may fill the gap. [default: all lexemes of the gap's part of speech]", metavar="A,B,..."
        ),
    ]


class Plausible(InSpace, Measuring, Weighted, OfScheme, Composition, total=False):
    """Parameters of `plausible`. Those of the answer say which lexemes may fill a gap: not together with candidates."""

    top: Annotated[int | None, Parameter(Group.ANSWER, "Without candidates, show the N best. [default: 10]", least=0)]
    pos: Annotated[
        str | None,
        Parameter(
            Group.ANSWER,
            "Without candidates, try lexemes of this part of speech: same, any, or e.g. NOUN. [default: same]",
            metavar="TAG",
        ),
    ]
    min_frequency: Annotated[
        int | None,
        Parameter(Group.ANSWER, "Ignore lexemes that occur fewer than N times. [default: as of neighbours]", least=0),
    ]
    among: Annotated[
        Among | None, Parameter(Group.ANSWER, "Rank lexemes, entries, or all. [default: lexemes]", metavar="WHICH")
    ]


class PlausibleAmong(Candidates, Plausible, total=False):
    """Parameters of `plausible` and its candidates, which Python also accepts as a positional argument."""


class Evidence(OfSubcorpus, OfDirectCounts, total=False):
    """Parameters of `evidence`."""

    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the first N. [default: all]", least=0)]
    sample: Annotated[
        int | None, Parameter(Group.ANSWER, "Show only N, drawn from all by the seed. [default: all]", least=0)
    ]
    seed: Annotated[int, Parameter(Group.ANSWER, "The seed of a sample.", default=1, least=0)]
    sort: Annotated[
        Literal["place", "before", "after"],
        Parameter(
            Group.ANSWER,
            "Sort by the place in the corpora, or by the word before or after the keyword: {values}.",
            default="place",
            metavar="WHICH",
        ),
    ]
    best: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show good examples first: whole sentences of 6 to 20 frequent words, no two alike.",
            default=False,
            flag="--best/--any",
        ),
    ]
    example_weights: Annotated[
        str | None,
        Parameter(
            Group.ANSWER,
            "With --best, how much each counts: whole, length, frequent, names, signs, pronouns, collocate. [default: "
            "whole=.2,length=.2,frequent=.2, others .1]",
            metavar="NAME=N,...",
        ),
    ]


class Article(TypedDict, total=False):
    """Parameters of `articles`."""

    top: Annotated[
        int, Parameter(Group.ANSWER, "How many collocates to show of each relation.", default=5, least=1, in_sql=False)
    ]
    top_relations: Annotated[
        int, Parameter(Group.ANSWER, "Show only the N strongest relations.", default=8, least=1, in_sql=False)
    ]
    examples: Annotated[
        int, Parameter(Group.ANSWER, "How many good examples to show.", default=5, least=0, in_sql=False)
    ]
    space: Annotated[
        str | None,
        Parameter(
            Group.ANSWER,
            "The reduced space in which senses are told apart. [default: the only one]",
            metavar="NAME",
            in_sql=False,
        ),
    ]


class Frames(OfSubcorpus, total=False):
    """Parameters of `frames`, without the relations to leave out."""

    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the N most frequent. [default: all]", least=0)]


class Matches(OfSubcorpus, total=False):
    """Parameters of `matches`."""

    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the first N. [default: all]", least=0)]


class Counting(OfSubcorpus, OfDirectCounts, total=False):
    """Parameters of `counts_by` and `breakdown`."""

    min_count: Annotated[
        int | None, Parameter(Group.ANSWER, "Leave out what is counted fewer than N times. [default: none]", least=0)
    ]
    top: Annotated[int | None, Parameter(Group.ANSWER, "Show only the first N. [default: all]", least=0)]


class Breakdown(Counting, OverDocuments, total=False):
    """Parameters of `breakdown`, without what is grouped by."""

    dispersion: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show the number of documents that have it, Gries' DP and the average reduced frequency.",
            default=False,
            flag="--dispersion/--no-dispersion",
        ),
    ]


class Collexemes(OfSubcorpus, total=False):
    """Parameters of `collexemes`."""

    min_count: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Leave out words that fill the slot fewer than N times; with --against, in both together.",
            default=1,
            least=1,
        ),
    ]
    top: Annotated[
        int | None,
        Parameter(Group.ANSWER, "Show only the first N; with --against, of either side. [default: all]", least=0),
    ]


class CountsBy(Counting, total=False):
    """Parameters of `counts_by` in SQL."""

    by: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "Count by corpus, document, a column of metadata or e.g. century(date); by values of tokens, V.lemma, "
            "1.form or match; or by several, with commas.",
            default="corpus",
            metavar="WHAT,...",
        ),
    ]


class Counted(Breakdown, CountsBy, total=False):
    """Parameters of `counts_by` in Python."""


class Trend(OfSubcorpus, OfDirectCounts, total=False):
    """Parameters of `trend`."""

    by: Annotated[
        str,
        Parameter(
            Group.ANSWER,
            "The time: a column of numbers, years, decades, dates, or e.g. century(year), bin(age, 10), age::INTEGER.",
            default="year",
            metavar="COLUMN",
        ),
    ]


class Untyped(Weighted, OfWeighting, total=False):
    """Parameters of weights without paths: all but those about paths."""


# The dictionary of each question that is a macro, and what it takes beside it.
QUESTIONS: Mapping[str, type] = {
    "apt": CountedFeatures,
    "compose": Features,
    "compose_each": Features,
    "observed": Observed,
    "compositionality": Compositional,
    "similarity": Comparing,
    "similarity_each": ComparingEach,
    "explain": Explaining,
    "entails": Entailing,
    "diff": Differing,
    "neighbours": Neighbours,
    "neighbours_each": Neighbours,
    "most_similar": MostSimilar,
    "doesnt_match": DoesntMatch,
    "contextualise": Contextualising,
    "plausible": PlausibleAmong,
    "substitutes": Substituting,
    "evidence": Evidence,
    "frames": Frames,
    "matches": Matches,
    "breakdown": Breakdown,
    "collexemes": Collexemes,
    "pattern_keyness": PatternKeyness,
    "lexemes": Lexemes,
    "sketch": Sketching,
    "sketch_diff": SketchingPair,
    "counts_by": CountsBy,
    "trend": Trend,
    "keyness": Keyness,
    "phrase_keyness": PhraseKeyness,
    "untyped": Untyped,
    "export": Exported,
}
# Relations are named in SQL, and lists in Python; what is left out of frames has its own option.
ALSO = {"similarity_each": ("pairs",), "frames": ("leave_out",), "lexemes": ("pattern", "subcorpus")}


def in_sql(question: str) -> dict[str, Parameter]:
    """Return the parameters that the macro of a question takes."""
    return {
        name: parameter
        for name, parameter in declared(QUESTIONS[question]).items()
        if parameter.in_sql and not (question == "untyped" and parameter.of_paths)
    }


def refuse_other_parameters(question: str, names: Iterable[str]) -> None:
    """Raise QuestionError for a parameter that a question does not take."""
    taken = {*in_sql(question), *ALSO.get(question, ())}
    for name in names:
        if name == "space" and name not in taken:
            raise QuestionError(f"{question} takes no space: it compares features, which a space does not have")
        if name not in taken:
            near = get_close_matches(name, taken, 1, NEAR)
            meant = f"did you mean {near[0]}? It" if near else "it"
            raise QuestionError(f"{question} takes no {name}; {meant} takes {', '.join(sorted(taken))}")
