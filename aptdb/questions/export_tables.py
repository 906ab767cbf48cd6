"""Numbers and sorts all weights of a lexicon in temporary tables, which are then read part by part."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import refuse_others
from aptdb.questions import weightings
from aptdb.store.database import Database
from aptdb.store.file_writing import LINE_ENDS, NOTHING, WHITE_SPACE
from aptdb.store.statements import SqlText, literal, statement

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LEXEMES, FEATURES = "_staged_row", "_staged_column"  # the tables of names


@dataclass(frozen=True)
class FileFormat:
    """A format: its endings, those of files beside it, what its names cannot contain, and which names must differ."""

    endings: tuple[str, ...]
    beside: tuple[str, ...] = ()
    unfit: str = NOTHING
    apart: tuple[str, ...] = ()
    features: bool = True  # whether features have names, or at least numbers


FORMATS: dict[str, FileFormat] = {
    "parquet": FileFormat((".parquet",), features=False),
    "byblo": FileFormat((".tsv",), unfit=LINE_ENDS, apart=(LEXEMES, FEATURES)),
    "dissect": FileFormat((".sm",), (".rows", ".cols"), WHITE_SPACE, (LEXEMES, FEATURES)),
    "scipy": FileFormat((".npz",), (".rows", ".cols"), LINE_ENDS, (LEXEMES, FEATURES)),
    "word2vec": FileFormat((".vec", ".txt"), unfit=WHITE_SPACE, apart=(LEXEMES,)),
}


PART = 1_000_000  # weights in one part; more if a single lexeme has more
NAMES = 100_000  # names that are read at once


@dataclass(frozen=True)
class Part:
    """Consecutive lexemes: the places of the first and the last, and the number of their weights."""

    first: int
    last: int
    weights: int


@dataclass(frozen=True)
class Staged:
    """Weights in temporary tables.

    lexemes: how many have weights. features: how many there are, 0 if they have no names. renamed: how many names
    differ from the text that they stand for.
    """

    database: Database
    parts: Sequence[Part]
    lexemes: int
    features: int
    renamed: int

    @property
    def weights(self) -> int:
        """How many weights there are in all."""
        return sum(part.weights for part in self.parts)

    def rows(self, name: str, part: Part) -> SqlText:
        """Return the statement `questions/export/NAME` about one part."""
        return filled(name, first=part.first, last=part.last)

    def lines(self, name: str, part: Part) -> Iterator[str]:
        """Return the lines that the statement `questions/export/NAME` makes of one part."""
        return (str(row[0]) for row in self.database.rows(self.rows(name, part)))

    def names(self, names: str) -> Iterator[str]:
        """Yield the names of LEXEMES or FEATURES in order of their numbers, as texts of many lines."""
        for first in range(0, self.lexemes if names == LEXEMES else self.features, NAMES):
            yield str(self.database.value(filled("names", names=SqlText(names), first=first, size=NAMES)))

    def matrix(self) -> "csr_array":
        """Return the weights as a scipy CSR matrix of shape (lexemes, features), in order of their numbers."""
        from scipy.sparse import csr_array

        found = self.database.arrays(filled("matrix"))
        places = (found["lexeme"], found["feature"])
        matrix = csr_array((found["weight"], places), shape=(self.lexemes, self.features))
        matrix.sort_indices()
        return matrix


@contextmanager
def staged(
    database: Database, parameters: Mapping[str, Any], *, unfit: str, features: bool, apart: Sequence[str]
) -> Iterator[Staged]:
    """Give the weights for these parameters, staged within the block.

    unfit: a regular expression for what a name cannot contain; it becomes `_`. features: whether they need names.
    apart: which of LEXEMES and FEATURES must have different names. Raises QuestionError if the names are not different,
    if there is no weight, and for wrong weights and parameters like questions do.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    weights, pos = str(given.pop("weights", "ppmi")), given.pop("pos", None)
    try:
        with database.transaction():
            name_weights(database, weights, given)
            of_pos = weights_of_pos(database, pos, given.get("subcorpus"))
            database.run(filled("stage", unfit=unfit, size=PART, weights=of_pos))
            if features:
                database.run(filled("features", unfit=unfit))
            found = measured(database, weights, features=features, apart=apart)
            for names in apart:
                refuse_clash(database, names)
            yield found
            database.run(statement("questions/export/clear"))
    except QuestionError as error:
        raise weightings.explained(database, weights, error) from error


def name_weights(database: Database, weights: str, given: Mapping[str, Any]) -> None:
    """Check and name the weights to stage: known weights by ids, or a relation of the user's own by text."""
    refuse_others("export", given)
    options = SqlText(f"_store.options({', '.join(literal(given.get(name)) for name in weightings.PARAMETERS)})")
    named = literal([{"name": name, "given": name in given} for name in weightings.PARAMETERS])
    database.value(f"SELECT _store.check_given({literal(weights)}, {named})")
    database.value(f"SELECT _store.check_options({literal(weights)}, {options})")
    if database.value(f"SELECT _store.scheme({literal(weights)})") is not None:
        database.run(filled("known", weights=weights, options=options))
    else:
        database.run(filled("own", weights=weights))


def weights_of_pos(database: Database, pos: object, subcorpus: object) -> SqlText:
    """Return the relation of the weights of lexemes of some parts of speech, of all where pos is None.

    Raises QuestionError for a part of speech that no lexeme has.
    """
    if pos is None:
        return SqlText("_named_weight")
    tags = [tag.strip() for tag in pos.split(",")] if isinstance(pos, str) else []
    if not all(tags) or not tags:
        raise QuestionError(f"pos is {pos!r:.60}; expected a part of speech, or several with commas, e.g. NOUN,VERB")
    there = [tag for (tag,) in database.rows(filled("tags", subcorpus=subcorpus)) if tag is not None]
    for tag in tags:
        if tag not in there:
            raise QuestionError(f"no lexeme has the part of speech {tag}; there is {', '.join(there) or 'none'}")
    database.run(filled("of_pos", tags=tags))
    return SqlText("_named_weight_of_pos")


def measured(database: Database, weights: str, *, features: bool, apart: Sequence[str]) -> Staged:
    """Return what was staged.

    Raises QuestionError if it is empty, or has two weights for the same feature of a lexeme.
    """
    parts = [Part(*row) for row in database.rows(statement("questions/export/parts"))]
    if not parts:
        raise QuestionError(f"no weights of {weights} to write; none passes your filters")
    for lexeme, path, context in database.rows(statement("questions/export/repeated")):
        raise QuestionError(
            f"{weights} has several weights for {lexeme} {path} {context}; it must have one row for each lexeme, path "
            "and context"
        )
    tables = (LEXEMES, FEATURES) if features else (LEXEMES,)
    sizes = {names: database.rows(filled("sizes", names=SqlText(names)))[0] for names in tables}
    renamed = sum(sizes[names][1] for names in apart)
    return Staged(database, parts, sizes[LEXEMES][0], sizes.get(FEATURES, (0, 0))[0], renamed)


def refuse_clash(database: Database, names: str) -> None:
    """Raise QuestionError if two names are the same, or a name is empty."""
    kind = "lexemes" if names == LEXEMES else "features"
    for name, one, other, named in database.rows(filled("clash", names=SqlText(names))):
        if named == 1:
            raise QuestionError(f"one of the {kind} has an empty name; this format cannot write it, parquet can")
        raise QuestionError(
            f"the {kind} {one!r} and {other!r} would both be written {name!r}; choose another format, e.g. parquet, or "
            "weights of your own without one of them"
        )


def filled(name: str, **values: Any) -> SqlText:
    """Return the statement `sql/questions/export/NAME.sql` with these values."""
    return statement(f"questions/export/{name}", **values)
