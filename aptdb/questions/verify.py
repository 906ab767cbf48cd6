"""Verify a lexicon: count its stored trees again, and report every row that differs."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from aptdb.core.errors import CorpusError, LexiconError, QuestionError
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.counting import subcorpora
from aptdb.counting.conditions import chosen_sentences, parse_condition
from aptdb.counting.consistency import Difference, as_differences, broken_tables, find_inconsistent_rows
from aptdb.counting.count_trees import OTHER
from aptdb.counting.stored_corpora import attach, merge_attached
from aptdb.questions import entries, weightings
from aptdb.questions.entries import Composition
from aptdb.questions.weightings import Definition
from aptdb.store import schema
from aptdb.store.counts_folder import TABLES, check_whole
from aptdb.store.counts_location import CountsPlace, reach_of
from aptdb.store.database import Database
from aptdb.store.derived import ENTRY, KEPT, STALE, SUBCORPUS, WEIGHTING, Derived
from aptdb.store.file_writing import with_log
from aptdb.store.session import Session
from aptdb.store.statements import literal, statement
from aptdb.store.temporary_folders import scratch_folder

Row = tuple[Any, ...]
VECTORS = 30  # vectors of each space that are projected again


def wrong_subcorpora(database: Database) -> Iterator[Difference]:
    """Yield kept subcorpora that differ from those in the attached recount."""
    again = dict(database.rows("SELECT name, id FROM \"/recount\"._store.derived WHERE kind = 'subcorpus'"))
    for each in SUBCORPUS.read(database):
        name, text = each.name, each.asked.get("condition", "")
        if each.state not in (KEPT, STALE):
            yield Difference("subcorpus", None, name, f"state {each.state}", "kept or stale")
        if each.state != KEPT:
            continue
        try:
            wanted = parse_condition(text)
            choice = chosen_sentences(database, wanted)
            if wanted.text() != text:
                yield Difference("subcorpus", None, name, text, wanted.text())
        except QuestionError as error:
            yield Difference("subcorpus", None, name, str(error), "a condition that can be")
            continue
        known = {"id": each.id, "again": again.get(name, 0), "name": name, "choice": choice}
        yield from find_inconsistent_rows(database, "questions/verify_derived/subcorpora", **known)


def wrong_weightings(database: Database) -> Iterator[Difference]:
    """Yield invalid weightings, and kept weights and sizes that differ from their definitions."""
    yield from find_inconsistent_rows(database, "questions/verify_derived/weightings")
    for (name,) in database.rows("SELECT name FROM weightings ORDER BY name"):
        try:
            own = dict(weightings.definition(database, name) or {})
            if waits(database, own):
                continue
            WEIGHTING.check_name(name)
            given = {each: own[each] for each in (*weightings.PARAMETERS, *weightings.BESIDE)}
            weightings.check_definition(database, Definition(name, own["scheme"], own["phi"], given))
            yield from wrong_weights(database, own)
        except QuestionError as error:
            yield Difference("weighting", None, name, str(error), "a weighting that can be")


def waits(database: Database, definition: Mapping[str, Any]) -> bool:
    """Return whether a weighting cannot be asked for now, and holds again when its subcorpus or counts are known."""
    subcorpus = definition["subcorpus"]
    if database.value("SELECT state FROM subcorpora WHERE subcorpus = $name", {"name": subcorpus}) == "stale":
        return True
    unknown = f"SELECT _store.without_direct({literal(subcorpus)})"
    return definition["counts"] == "direct" and bool(database.value(unknown))


def wrong_weights(database: Database, definition: Mapping[str, Any]) -> list[Difference]:
    """Yield kept weights and sizes that differ from their definition; nothing if they are stale."""
    name = definition["name"]
    found = WEIGHTING.get(database, name)
    if found.state != KEPT:
        return []
    own = {"weighting": name, "id": found.id}
    weights = {**own, "name": name, "scheme": definition["scheme"]}
    sizes = {**own, **{each: definition[each] for each in ("phi", "subcorpus", "counts")}}
    return [
        *find_inconsistent_rows(database, "questions/verify_derived/weights", **weights),
        *find_inconsistent_rows(database, "questions/verify_derived/sizes", **sizes),
    ]


def wrong_spaces(database: Database) -> Iterator[Difference]:
    """Yield invalid spaces, and some vectors that differ from the projection of their weights, except stale ones."""
    if broken := find_inconsistent_rows(database, "questions/verify_derived/spaces"):
        yield from broken
        return
    for (name,) in database.rows("SELECT space FROM spaces WHERE state = 'kept'"):
        yield from find_inconsistent_rows(database, "questions/verify_derived/space_vectors", name=name, most=VECTORS)


def wrong_entries(database: Database) -> Iterator[Difference]:
    """Yield invalid entries, and entries that differ from the composition of their phrase, except stale ones."""
    yield from find_inconsistent_rows(database, "questions/verify_derived/entries")
    wanted: dict[str, Composition] = {}
    stored = ENTRY.read(database)
    for entry in stored:
        question = entry.asked.get("question", "")
        try:
            wanted[entry.name] = entries.composition_of(entry.name, question)
        except ValueError:
            yield Difference("entry", None, entry.name, f"question {question}", "words and parameters in JSON")
    parts_of = {name: each.lexemes() & {*wanted} for name, each in wanted.items()}
    try:
        TopologicalSorter(parts_of).prepare()
    except CycleError as error:
        circle = " in ".join(error.args[1])
        yield Difference("entry", None, error.args[1][0], circle, "no entry that contains itself")
        return
    for entry in stored:
        if entry.name in wanted and entry.state == KEPT:
            try:
                yield from wrong_entry(database, entry, wanted[entry.name])
            except QuestionError as error:
                yield Difference(
                    "entry", None, entry.name, f"cannot be composed: {error}", "a phrase that can be composed"
                )


def wrong_entry(database: Database, entry: Derived, wanted: Composition) -> Iterator[Difference]:
    """Yield differences between an entry and the composition of its phrase.

    An entry outlives the weighting that it was composed with; then it cannot be composed again, and is not compared.
    Nor is one that was composed with a user's relation, which may have changed.
    """
    asked = statement("questions/verify_derived/known_weights")
    is_known, is_scheme = database.rows(asked, {"weights": str(wanted.parameters.get("weights", DEFAULT_WEIGHTS))})[0]
    if not is_known:
        return
    anchored, pos, weighing = entries.about(database, wanted)
    if weighing != entry.made.get("weighting") and not is_scheme:
        return  # another weighting has the name by now
    expected = {"anchored": anchored, "pos": pos, "weighting": weighing, "composition": wanted.shown()}
    for part, wished in expected.items():
        if (found := entry.made.get(part)) != wished:
            yield Difference("entry", None, entry.name, f"{part} {found}", f"{part} {wished}")
    differing = statement("questions/verify_derived/entry", compose=wanted.call())
    yield from as_differences(database.rows(differing, {"id": entry.id, "name": entry.name}))


def wrong_evaluations(database: Database) -> Iterator[Difference]:
    """Return evaluations with impossible numbers, or whose columns contradict their question."""
    yield from find_inconsistent_rows(database, "questions/verify_derived/evaluations")
    for name, question, *columns in database.rows(statement("questions/verify_derived/evaluation_rows")):
        try:
            made_with = json.loads(question)
            found = [made_with["sha256"], made_with["method"], made_with.get("weights", DEFAULT_WEIGHTS)]
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            yield Difference("evaluation", None, name, f"question {question}", "what it was made with, in JSON")
            continue
        if found != columns:
            shown, expected = (", ".join(map(str, each)) for each in (columns, found))
            yield Difference("evaluation", None, name, shown, expected)


COLUMNS = ("what", "row", "found", "expected")
CHECKS = (
    "counting/verify/counts",
    "counting/verify/lexemes",
    "counting/verify/words",
    "counting/verify/relations",
    "counting/verify/joined",
    "counting/verify/nodes",
    "counting/verify/totals",
    "counting/verify/paths",
    "counting/verify/symmetry",
    "counting/verify/corpora",
    "counting/verify/documents",
    "counting/verify/kinds",
    "counting/verify/given",
)
# Those of a lexicon whose counts are in a folder: the others compare with stored trees.
CHECKS_ELSEWHERE = (
    "counting/verify/nodes",
    "counting/verify/totals",
    "counting/verify/paths",
    "counting/verify/symmetry",
)
Follow = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Result):
    """Rows that differ. differences: the rows as data."""

    differences: tuple[Difference, ...] = ()


def verify(session: Session, *, max_sentence: int = LONGEST_SENTENCE, progress: Follow = lambda *_: None) -> Verified:
    """Return what is wrong in a lexicon: rows of what, row, found, expected; none if the lexicon is sound.

    Counts the stored trees again. Compares marginals and totals with the sums of counts, counts with those from their
    other end, kept weights with their definitions, and entries with what their phrases compose to; and reads every
    column of every table. Where the counts are in a folder, that is checked too. The file is only read. max_sentence:
    see `Lexicon.add`. Raises LexiconError if a table cannot be read, or a sentence is too long.
    """
    session.reading()
    counts = session.counts()
    with session.alone():
        found = tuple(differences(session, counts, max_sentence, progress))
    return Verified(COLUMNS, ("VARCHAR",) * len(COLUMNS), [each.cells() for each in found], found)


def differences(session: Session, counts: CountsPlace | None, longest: int, progress: Follow) -> Iterator[Difference]:
    """Yield what differs from what it must be.

    Counts must be those of the stored trees and of corpora of counts; marginals and totals must be sums of counts;
    counts must be symmetric under inverse paths; kept weights must match their definition, and entries their phrases,
    where they are not stale. progress: called as progress(done, total) in tokens. The file is only read. If
    tables are not ours, or rows are there twice or refer to missing rows, nothing else is checked. Raises LexiconError
    if a table cannot be read, or the stored trees are damaged.
    """
    file = session.file
    with closing(Database(file, read_only=True, limits=session.limits, reach=reach_of(counts))) as database:
        broken = broken_tables(database)
        lacking = [] if broken or counts else database.rows(statement("counting/without_direct"))
    if lacking:
        raise LexiconError(f"{file}: its direct counts are not counted yet; count them first: aptdb migrate {file}")
    if broken or counts:
        yield from broken or differences_elsewhere(session, counts)
        return
    with scratch_folder() as folder:
        again = Path(folder, "recount.duckdb")
        recount(session, again, longest, progress)
        here = replace(session.limits, temp=session.limits.temp or folder)  # the lexicon's own may be read-only
        with closing(Database(file, read_only=True, limits=here, reach=with_log(again))) as database:
            database.run(f'ATTACH {literal(str(again))} AS "/recount" (READ_ONLY)')
            database.run(statement("counting/verify/ids"))
            for check in CHECKS:
                yield from find_inconsistent_rows(database, check)
            yield from wrong_subcorpora(database)
            yield from wrong_derived(database)


def differences_elsewhere(session: Session, counts: CountsPlace | None) -> Iterator[Difference]:
    """Yield what differs in a lexicon whose counts are in a folder, and in that folder; there are no trees to count."""
    assert counts is not None
    try:
        check_whole(counts.folder, counts.manifest)
    except CorpusError as error:
        yield Difference("folder of counts", None, str(counts.folder), str(error), "whole")
        return
    files = {table: [str(counts.folder / each.path) for each in counts.manifest.of(table)] for table in TABLES}
    reach = [Path(each) for of_table in files.values() for each in of_table]
    with closing(Database(session.file, read_only=True, limits=session.limits, reach=reach)) as database:
        for check in CHECKS_ELSEWHERE:
            yield from find_inconsistent_rows(database, check)
        yield from find_inconsistent_rows(
            database, "counting/verify/opened", lexemes=files["lexemes"], paths=files["paths"]
        )
        yield from wrong_derived(database)


def wrong_derived(database: Database) -> Iterator[Difference]:
    """Weightings, spaces, entries and evaluations that are not what is made of the counts."""
    yield from wrong_weightings(database)
    yield from wrong_spaces(database)
    yield from find_inconsistent_rows(database, "questions/verify_derived/senses")
    yield from wrong_entries(database)
    yield from wrong_evaluations(database)


def recount(session: Session, again: Path, longest: int, progress: Follow) -> None:
    """Count the trees of a lexicon into a new one."""
    with (
        closing(Database(again, read_only=False, limits=session.limits, reach=with_log(session.file))) as database,
        database.transaction(),
    ):
        schema.create(database, session.settings)
        attach(database, session.file)
        merge_attached(
            database, session.settings, session.file, prefix="", longest=longest, progress=progress, checked=False
        )
        database.run(f"INSERT INTO _store.derived FROM {OTHER}.derived WHERE kind = 'subcorpus' AND state = 'kept'")
    recount_subcorpora(again, session)


def recount_subcorpora(again: Path, session: Session) -> None:
    """Count the subcorpora that are kept again; those that cannot be are left out."""
    with closing(Database(again, read_only=False, limits=session.limits)) as database:
        kept = SUBCORPUS.read(database)
        if any("matches(" in each.asked.get("condition", "") for each in kept):
            schema.install_definitions(database)  # which find patterns
        for each in kept:
            with database.transaction(), suppress(QuestionError):
                condition = parse_condition(each.asked.get("condition", ""))
                subcorpora.keep_subcorpus(database, session.settings, each.name, condition)
