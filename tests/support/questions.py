"""What tests of questions share: random phrases and parameters, and both as SQL writes them."""

from hypothesis import strategies as st

from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.weights import FILTERS, SMOOTHING
from twins.vectors import pos_of
from twins.weights import Counts

MERGES = ("sum", "min", "max", "mult", "intersective_add", "smooth_mult")
Deltas = list[tuple[str, str]]

PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "merge": st.sampled_from(MERGES),
        "aligned": st.booleans(),
        "anchor": st.integers(0, 2),
        **FILTERS,
        **SMOOTHING,
        "weights": st.sampled_from(("ppmi", "pmi", "lmi")),
    },
)
EMPTY = "missing := 'empty'"  # a word of which the weights leave nothing is an empty APT, as it is for the twin
DELTAS = ("", "<r", "<s", "<r<s", "<s<s", "<r:x", ">r", "<r>s")


@st.composite
def phrases(draw: st.DrawFn, counts: Counts) -> Deltas:
    """A root's word and up to two more, along paths that the lexicon may or may not have; words may repeat."""
    lexemes = st.sampled_from(sorted({key[0] for key in counts}))
    others = draw(st.lists(st.tuples(lexemes, st.sampled_from(DELTAS)), max_size=2))
    return [(draw(lexemes), ""), *others]


def tags(counts: Counts) -> st.SearchStrategy[str]:
    """What pos of neighbours may be: same, any, or a part of speech that there is."""
    return st.sampled_from(["same", "any", *sorted({pos_of(lexeme) for lexeme, _, _ in counts})])


def as_sql(x: str | Deltas) -> str:
    """A lexeme or a phrase as SQL writes it."""
    if isinstance(x, str):
        return literal(x)
    return literal([{"lexeme": lexeme, "delta": delta} for lexeme, delta in x])


def features(database: Database, call: str) -> dict[tuple[str, str], float]:
    """The rows of an APT."""
    rows = database.rows(f"FROM {call}")
    found = {(row[0], row[1]): row[2] for row in rows}
    assert len(found) == len(rows)
    return found
