"""The only place that opens the file of a lexicon: for reading, for writing, for adding.

Capabilities are functions that take a `Session`. Many processes can read a file at once; a process that writes has it
alone.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from aptdb.errors import AptError, BroughtBack, InUseError, LexiconError, QuestionError, warn
from aptdb.result import Result
from aptdb.settings import Settings
from aptdb.store import compaction, genuine, schema
from aptdb.store.database import Database
from aptdb.store.files import with_log
from aptdb.store.interrupts import interrupts_held

SHOWN = 5  # names in a message
FIRST_BLOCKS, MARK, MARK_AT = 3 * 4096, b"DUCK", 8  # how a file of DuckDB begins
OWNERS = stat.S_IRUSR | stat.S_IWUSR
MEMORY = "1GB"  # for DuckDB's own buffers while a lexicon changes; what does not fit goes to disk


class Session:
    """The file of a lexicon: `settings` says how it counts; `reading()`, `writing()` and `growing()` give its database.

    create: whether to create a file that does not exist. confined: whether questions cannot reach other files. given:
    settings that must be those of the file.

    What changes a lexicon or writes files reaches those in `reach` and no others, confined or not.
    """

    def __init__(self, file: Path, *, create: bool, confined: bool, given: Mapping[str, Any]) -> None:
        self.file = file
        self.given = given
        self._create = create
        self._confined = confined
        self._closed = False
        self._database = opened(file, create=create, confined=confined)
        try:
            own = schema.read_settings(self._database) if self._database else Settings()
            self.settings = own if self._database else own.with_given(given)
            self.settings.refuse_others(given)
        except BaseException:
            self.let_go()
            raise

    def reading(self) -> Database:
        """The database for reading; it is opened again if something was added since the last question."""
        self._refuse_closed()
        if self._database is None:
            self._database = opened(self.file, create=self._create, confined=self._confined)
        if self._database is None:
            raise LexiconError(f"{self.file} is empty; add a corpus first")
        return self._database

    def ask(self, query: str, values: Mapping[str, Any] | None = None) -> Result:
        """The answer to a SELECT; `$name` in it stands for a value."""
        return Result(*self.reading().table(query, values))

    @contextmanager
    def copying(self, folder: Path, memory_limit: str) -> Iterator[Database]:
        """The database for questions within the block that copy their answers into a folder."""
        self.reading()
        self.let_go()
        reach = () if self._confined else None
        found = Database(self.file, read_only=True, memory_limit=memory_limit, reach=reach, folder=folder)
        with closing(found) as database:
            yield database

    @contextmanager
    def writing(self, memory_limit: str | None = None) -> Iterator[Database]:
        """The database for writing, within one transaction."""
        self.reading()
        self.let_go()
        with closing(Database(self.file, read_only=False, memory_limit=memory_limit)) as database:
            self._obey_settings(database, empty=False)
            with database.transaction():
                yield database
        genuine.note(self.file)

    @contextmanager
    def growing(
        self,
        *,
        settings: Settings | None = None,
        reach: Iterable[Path] = (),
        then: Callable[[], None] = lambda: None,
    ) -> Iterator[Database]:
        """The database for adding, within one transaction; it is created if necessary, and deleted again if that fails.

        settings: those of a lexicon that is created. then: what to do after the transaction.
        """
        self._refuse_closed()
        refuse_folder(self.file)
        self.let_go()
        made, empty, database = not self.file.exists(), False, None
        try:
            with interrupts_held():  # until we know whether to delete the file after an error
                database = growing_file(self.file, reach)
                empty = schema.is_empty(database)
            self._obey_settings(database, empty)
            with database.transaction():
                if empty:
                    self.settings = settings or self.settings
                    schema.create(database, self.settings)
                yield database
                compacted = compaction.note_run(database)
        except BaseException:
            with interrupts_held():
                if database:
                    database.close()
                if made and empty:
                    leave_nothing(self.file)
            raise
        database.close()
        genuine.note(self.file)
        then()  # if it fails, the lexicon stays
        if compaction.give_back(self.file, at_any_cost=compacted):
            genuine.note(self.file)

    def let_go(self) -> None:
        """Close the database, so that it can be opened in another way, here or by others."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def close(self) -> None:
        """Close the file for good. Closing it again does nothing."""
        self.let_go()
        self._closed = True

    def _obey_settings(self, database: Database, empty: bool) -> None:
        """Use the settings in the file: somebody else may have created it since this session was opened."""
        if not empty:
            schema.check_revision(database)
            self._bring_back_ours(database)
            self.settings = schema.read_settings(database)
            self.settings.refuse_others(self.given)

    def _bring_back_ours(self, database: Database) -> None:
        """Put aptdb's macros and views in place of others, if there are any."""
        if schema.definitions_differ(database) or genuine.is_known(self.file):
            return
        if names := genuine.strangers(database):
            bring_back(database, names)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LexiconError(f"{self.file} is closed; open it again")


@contextmanager
def making(file: Path, settings: Settings, source: Path) -> Iterator[Database]:
    """The database of a new lexicon, which is created completely or not at all.

    Who may not read the file source may not read the new one. Until it is complete it has another name; what a killed
    process left under that name is begun anew.
    """
    refuse_taken(file)
    unfinished, database = file.with_name(f"{file.name}.unfinished"), None
    try:
        with interrupts_held():
            database = emptied(unfinished, with_log(source))
            unfinished.chmod(stat.S_IMODE(unfinished.stat().st_mode) & (source.stat().st_mode | OWNERS))
        with closing(database):
            with database.transaction():
                schema.create(database, settings)
                yield database
            database.run("CHECKPOINT")  # all of it is in this file, and none in another beside it
            database.end_questions()
        with interrupts_held():
            give_name(unfinished, file)
    except BaseException as error:
        with interrupts_held():
            if database:
                database.close()
                leave_nothing(unfinished)
        if isinstance(error, AptError):
            raise type(error)(str(error).replace(str(unfinished), str(file))) from error
        raise


def emptied(unfinished: Path, reach: Iterable[Path]) -> Database:
    """The database of an unfinished file, with nothing in it. Raises InUseError if somebody else works on it."""
    database = growing_file(unfinished, reach)
    if not schema.is_empty(database):  # it was complete, and had no time to get its name
        database.close()
        leave_nothing(unfinished)
        database = growing_file(unfinished, reach)
    return database


def give_name(unfinished: Path, file: Path) -> None:
    """Rename a file that is complete now. Raises LexiconError if there is another of that name meanwhile."""
    try:
        os.link(unfinished, file)  # unlike renaming, it never replaces a file
    except FileExistsError as error:
        raise LexiconError(f"another process has just created {file}; name another file") from error
    except OSError:  # a disk without links
        refuse_taken(file)
        unfinished.rename(file)
    unfinished.unlink(missing_ok=True)


def growing_file(file: Path, reach: Iterable[Path]) -> Database:
    """The database of a file that is written to, created if necessary, also in place of a file that was not begun."""
    try:
        return Database(file, read_only=False, memory_limit=MEMORY, reach=reach)
    except InUseError:
        raise
    except LexiconError:
        if not is_not_begun(file):
            raise
    file.unlink(missing_ok=True)
    return Database(file, read_only=False, memory_limit=MEMORY, reach=reach)


def is_not_begun(file: Path) -> bool:
    """Whether a file is what DuckDB leaves if it is killed while it creates one: a part of its first blocks."""
    if not file.is_file() or file.stat().st_size >= FIRST_BLOCKS:
        return False
    with file.open("rb") as opened:
        begin = opened.read(len(MARK) + MARK_AT)
    return not begin or begin[MARK_AT:] == MARK


def opened(file: Path, *, create: bool, confined: bool = True) -> Database | None:
    """The database of a lexicon for reading, with the macros and views of this version; None if it must be created."""
    if not file.exists():
        if not create:
            raise no_lexicon(file)
        refuse_folder(file)
        return None
    refuse_folder(file)
    if is_not_begun(file):
        if create:
            return None
        raise schema.stopped_early(file)
    database = for_questions(file, confined=confined)
    try:
        if create and schema.is_empty(database):
            database.close()
            return None
        schema.check_revision(database)
        if schema.definitions_differ(database):
            database.close()
            database = with_new_definitions(file, [], confined=confined)
        elif not genuine.is_known(file) and (names := genuine.strangers(database)):
            database.close()
            database = with_new_definitions(file, names, confined=confined)
        genuine.note(file)
    except BaseException:
        database.close()
        raise
    return database


def with_new_definitions(file: Path, names: Sequence[str], *, confined: bool) -> Database:
    """Update the macros and views of a lexicon to this version, and open it again for reading.

    names: those that are not aptdb's own although the file says so.
    """
    try:
        writable = Database(file, read_only=False)
    except LexiconError as error:
        version = f"that are not aptdb's ({shown(names)})" if names else "of another version"
        raise LexiconError(f"{file} has macros {version}, which must be updated when it is opened; {error}") from error
    with closing(writable) as database:
        if names:
            bring_back(database, names)
        else:
            schema.migrate(database)
    return for_questions(file, confined=confined)


def bring_back(database: Database, names: Sequence[str]) -> None:
    """Put this version's macros and views in place of others, and say so. Raises LexiconError if that fails."""
    try:
        with database.transaction():
            schema.install(database)
        left = genuine.strangers(database)
    except QuestionError as error:
        raise schema.changed_by_others(database, str(error)) from error
    if left:
        raise schema.changed_by_others(database, f"other macros or views are in place of aptdb's: {shown(left)}")
    warn(f"{database.file} had other macros or views in place of aptdb's, which are back: {shown(names)}", BroughtBack)


def shown(names: Sequence[str]) -> str:
    """The first of some names."""
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def for_questions(file: Path, *, confined: bool) -> Database:
    """The database of a lexicon for reading."""
    return Database(file, read_only=True, reach=() if confined else None)


def migrate(file: Path) -> str:
    """Update an older lexicon to this version; returns the schema that it had. Raises LexiconError."""
    if not file.is_file():
        raise no_lexicon(file)
    with closing(Database(file, read_only=False)) as database:
        return schema.migrate(database)


def compact(session: Session) -> None:
    """Sort the counts, and free unused space. This also happens from time to time when corpora are added."""
    with session.writing(MEMORY) as database:
        compaction.compact(database)
    compaction.give_back(session.file, at_any_cost=True, asked=True)


def leave_nothing(file: Path) -> None:
    """Delete a file that a failed addition has created."""
    for each in (file, file.with_name(f"{file.name}.wal")):
        each.unlink(missing_ok=True)


def no_lexicon(file: Path) -> LexiconError:
    """The error that a lexicon does not exist."""
    return LexiconError(f"no lexicon {file}; make one with: aptdb add {file} FILE.conllu")


def refuse_folder(file: Path) -> None:
    """Raise LexiconError if a file cannot be in this place."""
    if file.is_dir():
        raise LexiconError(f"{file} is a folder; name a file, e.g. {file / 'lexicon.duckdb'}")
    if file.exists() and not file.is_file():
        raise LexiconError(f"{file} is neither a file nor a place for one; name another file")
    if "?" in str(file):
        raise LexiconError(f"{file}: DuckDB cannot keep a database under a name with a ?; name another file")
    if file.stem == "_store":
        raise LexiconError(f"{file}: a lexicon cannot be called _store, because its own tables are; name another file")
    if not file.parent.is_dir():
        raise LexiconError(f"no folder {file.parent}; make it first, or name another place")


def refuse_taken(file: Path) -> None:
    """Raise LexiconError if a new lexicon cannot be created in this place."""
    refuse_folder(file)
    if file.exists():
        raise LexiconError(f"{file} exists already; delete it, or name another file")
