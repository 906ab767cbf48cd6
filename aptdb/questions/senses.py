"""Senses of a lexeme: its occurrences in groups, found in a reduced space; shown, and stored as entries.

An occurrence is the sum of the projections of its own features, each of length 1 and weighed by the lexeme's ppmi of
the feature. Only the grouping is done outside of SQL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, QuestionError, StaleDataWarning, warn
from aptdb.core.one_line import name_first
from aptdb.core.parameters import declared, read_as_declared
from aptdb.core.phrase import Word
from aptdb.core.result import Result
from aptdb.core.vector_parameters import BETWEEN, Grouping, Sensing
from aptdb.counting.patterns import write_pattern
from aptdb.questions import entries
from aptdb.questions.execute import warn_of_stale_space
from aptdb.questions.matrices import clusters
from aptdb.questions.phrase_questions import warn_of_no_trees
from aptdb.questions.readings import as_lexeme
from aptdb.questions.spaces import check_number, known_space
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.derived import ENTRY, SENSES, SHOWN, SPACE, STALE
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

COLUMNS = ("sense", "occurrences", "share", "features", "neighbours", "examples")
TEXTS = {"space": "the name of a reduced space", "matching": "a pattern, as 'NOUN[amod *]'"}
FEW = 10  # occurrences of a group, at the least, when groups are begun
ANY = SqlText("true")  # the condition of all occurrences
BYTES_OF_OCCURRENCE = 16_000  # of memory, while its features are found and compared
TYPES = ("INTEGER", "BIGINT", "DOUBLE", "VARCHAR", "VARCHAR", "VARCHAR")


@dataclass(frozen=True)
class Sense:
    """A sense: its number from 1, how many occurrences it has, their share of all, and what describes it.

    features: those that tell it from the others, each with its path and context; neighbours: lexemes near its centre;
    examples: good examples of those near its centre. Those that say most come first.
    """

    number: int
    occurrences: int
    share: float
    features: Sequence[tuple[str, str]]
    neighbours: Sequence[str]
    examples: Sequence[str]

    def row(self) -> tuple[Any, ...]:
        """Return it as a row of an answer."""
        features = ", ".join(f"{path} {context}" for path, context in self.features)
        near = ", ".join(self.neighbours)
        return (self.number, self.occurrences, self.share, features, near, BETWEEN.join(self.examples))


@dataclass(frozen=True, eq=False, repr=False)
class Senses(Result):
    """The senses of a lexeme as rows. described: the same, with each feature, neighbour and sentence by itself.

    are_stored: whether they are those that are stored, so that each can be asked about by its name.
    """

    described: tuple[Sense, ...] = ()
    are_stored: bool = False


@dataclass(frozen=True)
class Grouped:
    """Occurrences in groups: the sentence, position, group (from 1) and similarity of each; and the centres.

    centres: of shape (groups, dimensions), each of length 1. met: the features of all occurrences, as the columns of a
    relation. Occurrences without a feature of the space are in no group.
    """

    sentences: "Array"
    positions: "Array"
    senses: "Array"
    similarities: "Array"
    centres: "Array"
    space: str
    met: "dict[str, Array]"

    def columns(self) -> "dict[str, Array]":
        """Return the occurrences as the columns of a relation."""
        return {
            "sense": self.senses,
            "sentence_id": self.sentences,
            "position": self.positions,
            "similarity": self.similarities,
        }


def senses(session: Session, lexeme: str, **parameters: Unpack[Sensing]) -> Senses:
    """Return the senses of a lexeme: rows of sense, occurrences, share, features, neighbours, examples.

    features: those that tell a sense from the others, by G²; neighbours: lexemes near its centre; examples: of the
    quarter of its sentences that is nearest to it, those that `evidence` would show as best. Shares are of all
    occurrences, those of no sense included. Stored senses are shown, unless parameters of grouping are given, or
    matching: a pattern, as of `matches`; then only the occurrences that are its first node are grouped. An
    IncompleteDataWarning says how many occurrences have no sense, a StaleDataWarning that stored senses are stale.
    Raises QuestionError.
    """
    check_sense_parameters(parameters, Sensing)
    lexeme = lexeme_of_senses(session, lexeme)
    given: dict[str, Any] = {name: value for name, value in parameters.items() if name in declared(Grouping)}
    matching = parameters.get("matching")
    wanted = given if given or matching is not None else unless_kept(session, lexeme)
    if wanted is not None:
        warn_of_stale_space(session, known_space(session.reading(), wanted.get("space")))
    with session.apart() as database:
        among = ANY if matching is None else first_of_matches(database, matching)
        found = (
            read_stored_senses(database, lexeme) if wanted is None else grouped_anew(database, lexeme, wanted, among)
        )
        return replace(describe_groups(database, lexeme, found, parameters, among), are_stored=wanted is None)


def first_of_matches(database: Database, pattern: str) -> SqlText:
    """Return the condition that an occurrence is the first node of a match of a pattern. Raise QuestionError."""
    found = statement("questions/senses/first_of_matches", pattern=write_pattern(database, pattern))
    return SqlText(f"(sentence_id, position) IN ({found})")


def save_senses(session: Session, lexeme: str, **parameters: Unpack[Grouping]) -> list[str]:
    """Find the senses of a lexeme and store them; return the names of their entries.

    The relation `sense_occurrences` has the sense of each occurrence, and each sense is an entry, as mouse/NOUN#1:
    questions take its name as that of a lexeme, also `evidence`, `counts_by`, `trend`, `sketch`, `frames`.
    Older senses of the lexeme are replaced. Raises QuestionError.
    """
    check_sense_parameters(parameters, Grouping)
    lexeme = lexeme_of_senses(session, lexeme)
    warn_of_stale_space(session, known_space(session.reading(), parameters.get("space")))
    with session.writing() as database:
        return store_senses(database, lexeme, dict(parameters))


def refresh_senses(session: Session, lexeme: str | None = None, *, of_current: bool = False) -> list[str]:
    """Find stale senses again, of all lexemes or the named one; return them. Raises as `refresh_entries`.

    of_current: whether senses whose space is stale are left as they are, with an error.
    """
    reading = session.reading()
    wanted = SENSES.names(reading, STALE) if lexeme is None else [refuse_without(reading, lexeme)]
    asked = {each: read_sense_parameters(reading, each) for each in wanted}
    spaces = {each: known_space(reading, given.get("space")) for each, given in asked.items()}
    for space in sorted({*spaces.values()}):
        if not of_current:
            warn_of_stale_space(session, space)
    stale = {*SPACE.names(reading, STALE)} if of_current else set()

    def find_again(database: Database, names: Sequence[str]) -> Sequence[str]:
        for each in names:
            if spaces[each] in stale:
                raise QuestionError(f"the senses of {each} are of the space {spaces[each]}, which is stale")
            store_senses(database, each, asked[each])
        return names

    return SENSES.refresh(session, find_again, lexeme)


def forget_senses(database: Database, lexemes: Sequence[str]) -> None:
    """Delete the senses of lexemes, and their entries. Raise QuestionError if a phrase has one."""
    forget_entries(database, [name for each in lexemes for name in list_sense_entries(database, each)])
    for each in lexemes:
        delete_senses(database, each)


def forget_entries(database: Database, names: Sequence[str]) -> None:
    """Delete those of the named entries that there are."""
    entries.forget_stored_entries(database, [each for each in names if ENTRY.find(database, each)])


def store_senses(database: Database, lexeme: str, given: Mapping[str, Any]) -> list[str]:
    """Find the senses of a lexeme, and store them and their entries in place of older ones; return the entries."""
    found = grouped_anew(database, lexeme, given)
    former = set(list_sense_entries(database, lexeme))
    delete_senses(database, lexeme)
    own = SENSES.make_room(database, lexeme)
    last = int(database.value("SELECT coalesce(max(id), 0) FROM _store.sense"))
    of = int(database.value("SELECT id FROM _store.lexeme WHERE text = $text", {"text": lexeme}))
    for number, centre in enumerate(found.centres, 1):
        size, vector = int((found.senses == number).sum()), [float(each) for each in centre]
        row = {"id": last + number, "lexeme_id": of, "number": number, "occurrences": size, "vector": vector}
        database.put("sense", {**row, "senses_id": own})
    made_of = [SPACE.called(found.space)]
    SENSES.record(database, own, lexeme, asked=given, made={"space": found.space}, made_of=made_of)
    database.bring("grouped", found.columns())
    database.run(statement("questions/senses/keep_occurrences", first=last))
    names = list_sense_entries(database, lexeme)
    forget_entries(database, sorted(former - {*names}))
    word: Word = {"lexeme": lexeme, "delta": ""}
    for number, name in enumerate(names, 1):
        entries.store(database, name, entries.Composition(lexeme, [word], {}, sense=number))
    schema.renew(database)
    return names


def grouped_anew(database: Database, lexeme: str, given: Mapping[str, Any], among: SqlText = ANY) -> Grouped:
    """Return the occurrences of a lexeme in groups, of those that a condition holds of.

    Raises QuestionError if there is nothing to group.
    """
    import numpy as np

    chosen = {name: given.get(name, each.default) for name, each in declared(Grouping).items()}
    space = known_space(database, chosen["space"])
    refuse_too_many_occurrences(database, lexeme)
    met = met_by(database, lexeme, among)
    if not len(met["position"]):
        raise QuestionError(f"no occurrence of {lexeme} is the first word of a match")
    sentences, positions = met["sentence_id"], met["position"]
    starts = np.flatnonzero(np.r_[True, (np.diff(sentences) != 0) | (np.diff(positions) != 0)][: len(sentences)])
    vectors = sum_projections(database, lexeme, space, met, starts)
    sizes = np.linalg.norm(vectors, axis=1)
    placed = sizes > 0
    if not placed.any():
        raise QuestionError(f"no occurrence of {lexeme} has a feature of the space {space}, so it has no senses there")
    vectors = vectors[placed] / sizes[placed, None]
    most = max(1, min(int(chosen["groups"]), len(vectors) // FEW))
    if most < chosen["groups"]:
        warn(
            f"{how_many(len(vectors), 'occurrence')} of {lexeme} are too few for {chosen['groups']} groups of {FEW} or "
            f"more; grouping begins with {most}",
            IncompleteDataWarning,
        )
    groups, centres = clusters(vectors, most, float(chosen["alike"]), int(chosen["seed"]))
    similarities = np.round(np.einsum("od,od->o", vectors, centres[groups]), 9)
    own = starts[placed]
    return Grouped(sentences[own], positions[own], groups + 1, similarities, centres, space, met)


def refuse_too_many_occurrences(database: Database, lexeme: str) -> None:
    """Raise QuestionError if a lexeme occurs so often that its occurrences do not fit into memory."""
    occurrences = count_tokens_of_lexeme(database, lexeme)
    if (needed := occurrences * BYTES_OF_OCCURRENCE) > database.limits.memory:
        raise QuestionError(
            f"the {occurrences:,} occurrences of {lexeme} need about {needed / 1e9:.1f} GB of memory; raise the limit "
            "with APTDB_MEMORY"
        )


def count_tokens_of_lexeme(database: Database, lexeme: str) -> int:
    """Return the number of tokens of a lexeme; 0 if the lexicon lacks it."""
    return int(database.value("SELECT frequency FROM lexemes WHERE lexeme = $lexeme", {"lexeme": lexeme}) or 0)


def met_by(database: Database, lexeme: str, among: SqlText = ANY) -> "dict[str, Array]":
    """Return the features of occurrences of a lexeme: sentence_id, position, path_id and context_id of each."""
    import numpy as np

    read = database.arrays(statement("questions/senses/occurrences", lexeme=lexeme, among=among))
    return {name: np.asarray(each) for name, each in read.items()}


def sum_projections(database: Database, lexeme: str, space: str, met: "dict[str, Array]", starts: "Array") -> "Array":
    """Return the sum of the features of each occurrence of a lexeme, of shape (occurrences, dimensions).

    A feature is its projection into the space, of length 1, times its weight; those that the space lacks add nothing.
    met: the features of all occurrences. starts: where those of each begin. Raises QuestionError if the space has none.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    read = database.arrays(statement("questions/senses/features", lexeme=lexeme, space=space))
    if not len(read["value"]):
        raise QuestionError(f"{lexeme} has no feature of the space {space}, so its occurrences cannot be compared")
    dimensions = int(database.value("SELECT _store.space_count($space, 'tree_dimensions')", {"space": space}))
    vectors = np.asarray(read["value"]).reshape(-1, dimensions)
    weights = np.asarray(read["weight"])[::dimensions]
    sizes = np.linalg.norm(vectors, axis=1)
    scaled = vectors * (weights / np.where(sizes > 0, sizes, 1))[:, None]
    known = join_ids(read["path_id"][::dimensions], read["context_id"][::dimensions])  # sorted
    keys = join_ids(met["path_id"], met["context_id"])
    places = np.searchsorted(known, keys)
    places[places == len(known)] = 0
    values = (known[places] == keys).astype(float)
    ends = np.r_[starts, len(keys)]
    of_occurrence = csr_matrix((values, places, ends), shape=(len(starts), len(known)))
    return np.asarray(of_occurrence @ scaled)


def join_ids(paths: "Array", contexts: "Array") -> "Array":
    """Return one number for each pair of ids, in the order of the pairs."""
    import numpy as np

    return (np.asarray(paths, dtype=np.int64) << 32) | np.asarray(contexts, dtype=np.int64)


def unless_kept(session: Session, lexeme: str) -> dict[str, Any] | None:
    """Return the parameters to find senses with: those of stale ones, of which it warns; None if senses are kept."""
    states = {state for _, _, state in session.reading().rows(statement("questions/senses/centres", lexeme=lexeme))}
    if states == {"kept"}:
        return None
    if not states:
        return {}
    warn(
        f"the senses of {lexeme} that are stored were found before the lexicon or their space changed; these are found "
        f"now, and aptdb refresh {session.file} {lexeme} stores them",
        StaleDataWarning,
    )
    return read_sense_parameters(session.reading(), lexeme)


def read_stored_senses(database: Database, lexeme: str) -> Grouped:
    """Return the stored senses of a lexeme that has some."""
    import numpy as np

    rows = database.rows(statement("questions/senses/centres", lexeme=lexeme))
    read = database.arrays(statement("questions/senses/stored", lexeme=lexeme))
    sentences, positions, own, near = (
        np.asarray(read[name]) for name in ("sentence_id", "position", "sense", "similarity")
    )
    centres = np.array([vector for vector, _, _ in rows], dtype=float)
    return Grouped(sentences, positions, own, near, centres, str(rows[0][1]), met_by(database, lexeme))


def read_sense_parameters(database: Database, lexeme: str) -> dict[str, Any]:
    """Return the parameters with which the senses of a lexeme were found. Raise LexiconError if they are unreadable."""
    asked = SENSES.get(database, lexeme).asked
    try:
        found = {key: read_as_declared(Grouping, key, value) for key, value in asked.items()}
        check_sense_parameters(found, Grouping)
    except (QuestionError, ValueError) as error:
        raise schema.changed_by_others(database, f"the parameters of the senses of {lexeme} cannot be read") from error
    return found


def check_sense_parameters(given: Mapping[str, Any], dictionary: type) -> None:
    """Raise QuestionError for a parameter that a dictionary does not declare, or a value that it cannot have."""
    known = declared(dictionary)
    for name, value in given.items():
        if name not in known:
            raise QuestionError(f"senses takes no {name}; it takes {', '.join(known)}")
        if name not in TEXTS:
            check_number(dictionary, name, value)
        elif not isinstance(value, str):
            raise QuestionError(f"{name} is {value!r}; expected {TEXTS[name]}")


def lexeme_of_senses(session: Session, lexeme: object) -> str:
    """Return the text of a lexeme; of a typed word the likeliest lexeme. Raise QuestionError for anything else."""
    if not isinstance(lexeme, str) or lexeme.endswith("]"):
        raise QuestionError(f"senses takes one lexeme, as mouse/NOUN, not {lexeme!r:.60}")
    refuse_sense(session.reading(), lexeme)
    warn_of_no_trees(session)
    return as_lexeme(session, lexeme)


def refuse_sense(database: Database, lexeme: str) -> None:
    """Raise QuestionError if a text is the name of a stored sense, which has no senses of its own."""
    named = "SELECT lexeme FROM senses WHERE entry = $lexeme AND entry NOT IN (SELECT lexeme FROM lexemes)"
    if (whole := database.value(named, {"lexeme": lexeme})) is not None:
        raise QuestionError(f"{lexeme} is a sense itself; ask for the senses of {whole}")


def list_sense_entries(database: Database, lexeme: str) -> list[str]:
    """Return the names of the entries of a lexeme's senses."""
    rows = database.rows("SELECT entry FROM senses WHERE lexeme = $lexeme ORDER BY sense", {"lexeme": lexeme})
    return [str(name) for (name,) in rows]


def shares_of_senses(session: Session, lexeme: str) -> dict[str, float | None]:
    """Return the shares of a lexeme's senses of its occurrences, by entry; None if stale. Raise QuestionError."""
    database = session.reading()
    refuse_sense(database, lexeme)
    lexeme = as_lexeme(session, lexeme)
    refuse_without(database, lexeme)
    rows = database.rows("SELECT entry, share FROM senses WHERE lexeme = $lexeme ORDER BY sense", {"lexeme": lexeme})
    return dict(rows)


def refuse_without(database: Database, lexeme: str) -> str:
    """Return a lexeme that has senses. Raise QuestionError, which lists those that have, if the named one has none."""
    known = SENSES.names(database)
    if lexeme not in known:
        raise QuestionError(
            f"no senses of {lexeme} are stored{f', only of {name_first(known, SHOWN)}' if known else ''}; "
            f"find and store them by: aptdb senses LEXICON {lexeme} --save"
        )
    return lexeme


def delete_senses(database: Database, lexeme: str) -> None:
    """Delete the senses of a lexeme and their occurrences, if there are any."""
    if found := SENSES.find(database, lexeme):
        database.run(statement("questions/senses/forget_occurrences"), {"id": found.id})
        SENSES.delete(database, found.id)


def describe_groups(
    database: Database, lexeme: str, found: Grouped, given: Mapping[str, Any], among: SqlText = ANY
) -> Senses:
    """Return groups of occurrences as rows, with what tells each from the others."""
    import numpy as np

    top, examples = (int(given.get(name, declared(Sensing)[name].default)) for name in ("top", "examples"))
    database.bring("grouped", found.columns())
    database.bring("met", found.met)
    dimensions = found.centres.shape[1]
    centre = {
        "sense": np.repeat(np.arange(1, len(found.centres) + 1), dimensions),
        "dimension": np.tile(np.arange(dimensions), len(found.centres)),
        "value": found.centres.ravel(),
    }
    database.bring("centre", centre)
    features = by_sense(database.rows(statement("questions/senses/telling", top=top)))
    near = by_sense(database.rows(statement("questions/senses/near", lexeme=lexeme, space=found.space, top=top)))
    said = by_sense(database.rows(statement("questions/senses/examples", top=examples)))
    placed = len(found.senses)
    chosen = statement("questions/senses/number_among", lexeme=lexeme, among=among)
    occurrences = count_tokens_of_lexeme(database, lexeme) if among == ANY else int(database.value(chosen))
    if placed < occurrences:
        warn(
            f"{occurrences - placed:,} of {how_many(occurrences, 'occurrence')} of {lexeme} have no sense: none of "
            f"their contexts is a feature of the space {found.space}",
            IncompleteDataWarning,
        )
    described = tuple(
        Sense(
            number,
            times,
            round(times / occurrences, 6),
            [(str(path), str(context)) for path, context in features.get(number, [])],
            [str(lexeme) for (lexeme,) in near.get(number, [])],
            [str(text) for (text,) in said.get(number, [])],
        )
        for number, times in enumerate(np.bincount(found.senses)[1:].tolist(), 1)
    )
    return Senses(COLUMNS, TYPES, [each.row() for each in described], described)


def by_sense(rows: Sequence[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """Return rows that begin with the number of a sense, in order, by that number and without it."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for sense, *values in rows:
        found.setdefault(int(sense), []).append(tuple(values))
    return found
