"""Sessions: the only way to open a lexicon's file, for reading, writing or adding.

What a lexicon can do are functions that take a `Session`. Many processes can read a file at once; a process that writes
has it alone.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptWarning, LexiconError, QuestionError, warn
from aptdb.core.one_line import name_first
from aptdb.core.result import Result
from aptdb.core.settings import Settings
from aptdb.store import compaction, integrity, open_files, schema, version
from aptdb.store.attached import Attach, name_attached_files
from aptdb.store.counts_location import (  # fmt: skip
    CountsPlace,
    counts_in,
    find_counts_folder,
    follow,
    is_folder_remembered,
    put_view,
    reach_of,
    refuse_counts_elsewhere,
    remember_folder,
)
from aptdb.store.database import Database
from aptdb.store.file_writing import as_private_as, with_log, without_dots, working_folder
from aptdb.store.interrupts import interrupts_held, interrupts_held_at_end
from aptdb.store.lexicon_file import growing_file, is_not_begun, leave_nothing, no_lexicon, refuse_place_of_lexicon
from aptdb.store.limits import Limits, use_limits
from aptdb.store.limits import limits as usual_limits
from aptdb.store.open_files import Turns, mode_of, open_again
from aptdb.store.question_sql import raise_sql_if_wanted, refuse_changes
from aptdb.store.schema import template
from aptdb.store.statements import statement
from aptdb.store.temporary_folders import new_scratch

SHOWN = 5  # names in a message


class Session:
    """An opened lexicon: its `settings`, and its database by `reading()`, `writing()` and `growing()`.

    create: create a missing file. confined: questions cannot read other files. given: settings that must be those of
    the file. limits: of memory. attach: other DuckDB files that questions can read. at_once: whether a file that is
    known to be ours is opened now; otherwise when something is asked or added.

    Methods that write a lexicon or files reach only the files in `reach`, confined or not.

    Threads may share it: each asks by a connection of its own, in the block of `asking()`; one that writes is alone.
    """

    def __init__(
        self,
        file: Path,
        *,
        create: bool,
        confined: bool,
        given: Mapping[str, Any],
        limits: Limits | None = None,
        attach: Attach = None,
        at_once: bool = True,
    ) -> None:
        self._file, self._folder = without_dots(file), working_folder()
        self.attached = name_attached_files(file, attach)
        self.limits = limits or usual_limits()
        self.given = given
        self._create = create
        self._confined = confined
        self._closed = False
        self._turns, self._thread = Turns(), threading.get_ident()
        self._cursors: dict[threading.Thread, Database] = {}
        self._opening = threading.Lock()
        self._database: Database | None = None
        self._settings: Settings | None = None
        if not at_once and not given and open_files.is_verified(file):
            return
        self._database = self._opened()
        try:
            own = schema.read_stored_settings(self._database) if self._database else Settings()
            self.settings = own if self._database else own.with_given(given)
            self.settings.refuse_others(given)
        except BaseException:
            self.let_go()
            raise

    @property
    def file(self) -> Path:
        """Return the file: by the name that was given, as long as the working directory is the same."""
        if self._file.is_absolute() or self._folder in (None, working_folder()):
            return self._file
        return Path(self._folder or "", self._file)

    @property
    def settings(self) -> Settings:
        """Return the settings of the lexicon; those that a new one will have, where there is none yet."""
        if self._settings is None:
            self._settings = Settings() if self.is_empty() else schema.read_stored_settings(self.reading())
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        """Note the settings of the file, or of the one that will be made."""
        self._settings = settings

    def reading(self) -> Database:
        """Return the database for reading, with a connection of this thread; reopen it after an addition."""
        if self.is_empty() or (database := self._database) is None:
            raise LexiconError(f"{self.file} is empty; add a corpus first")
        if threading.get_ident() == self._thread:
            return database
        with self._opening:
            own = threading.current_thread()
            if own not in self._cursors:
                for thread in [each for each in self._cursors if not each.is_alive()]:
                    self._cursors.pop(thread).close()  # nothing else closes it before the file is written
                self._cursors[own] = database.beside()
            return self._cursors[own]

    def asking(self) -> AbstractContextManager[None]:
        """Ask within a block. Raise InUseError while another thread writes."""
        return self._turns.asking(str(self.file))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have the file without a connection of this session, in any thread. Raise InUseError if another one has."""
        with self._turns.alone(str(self.file)), as_private_as(self.file), use_limits(self.limits):
            self.let_go()
            yield

    def is_closed(self) -> bool:
        """Return whether the session was closed."""
        return self._closed

    def is_empty(self) -> bool:
        """Return whether the lexicon has no file yet, so that there is nothing to read.

        Raises LexiconError if the session is closed.
        """
        self._refuse_closed()
        with self._opening:
            if self._database is None:
                self._database = self._opened()
        return self._database is None

    def _opened(self) -> Database | None:
        """Return the database for reading; None if the file is missing."""
        mode = mode_of(self.limits, confined=self._confined, attached=self.attached)
        how = {"create": self._create, "confined": self._confined}
        with use_limits(self.limits):
            return open_again(self.file, mode, lambda: open_for_reading(self.file, self.limits, self.attached, **how))

    def ask(self, query: str, values: Mapping[str, Any] | None = None, most: int | None = None) -> Result:
        """Return the answer to a SELECT, or its first rows; parameters fill `$name`."""
        raise_sql_if_wanted(query, values, self.attached)
        return Result(*self.reading().table(query, values, most))

    @contextmanager
    def copying(self, folder: Path) -> Iterator[Database]:
        """Yield the database for questions that write their answers into a folder."""
        self.reading()
        with self.alone():
            reach = reach_of(find_counts_folder(self.file)) if self._confined else None
            found = Database(
                self.file, read_only=True, limits=self.limits, reach=reach, scratch=folder, attached=self.attached
            )
            with closing(found) as database:
                yield database

    @contextmanager
    def apart(self) -> Iterator[Database]:
        """Yield a connection of its own for questions that bring relations, which nobody else then sees."""
        self.reading()
        if (found := self._opened()) is None:
            raise no_lexicon(self.file)
        with closing(found) as database:
            yield database

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """Yield the database for writing, within one transaction."""
        refuse_changes()
        self.reading()
        with self.alone():
            reach = reach_of(find_counts_folder(self.file))
            with closing(Database(self.file, read_only=False, limits=self.limits, reach=reach)) as database:
                self._obey_settings(database, empty=False)
                with interrupts_held_at_end() as hold, database.transaction():
                    yield database
                    hold()
            open_files.record_verified(self.file, is_summed=True)

    @contextmanager
    def growing(
        self, *, settings: Settings | None = None, reach: Iterable[Path] = (), then: Callable[[], None] = lambda: None
    ) -> Iterator[Database]:
        """Yield the database for adding, within one transaction; after an error a new file is deleted.

        settings: those of a new lexicon. then: a function to call after the transaction.
        """
        self._refuse_closed()
        refuse_place_of_lexicon(self.file)
        with self.alone(), self._growing(settings, reach, then) as database:
            yield database

    @contextmanager
    def _growing(
        self, settings: Settings | None, reach: Iterable[Path], then: Callable[[], None]
    ) -> Iterator[Database]:
        """Yield the database for adding, as `growing` does, where nobody else has the file.

        After many additions the counts are sorted again, and unused space is given back.
        """
        made, empty, database = not self.file.exists(), False, None
        copied = template() if made else None
        with interrupts_held_at_end() as hold:
            try:
                with interrupts_held():  # until we know whether to delete the file after an error
                    database = growing_file(self.file, self.limits, [*reach, *(with_log(copied) if copied else [])])
                    empty = schema.is_empty(database, made=made)
                self._obey_settings(database, empty)
                if not empty:
                    refuse_counts_elsewhere(self.file, counts_in(database), "nothing can be added to it")
                with database.transaction():
                    if empty:
                        self.settings = settings or self._settings or Settings()  # nothing is read of an open file
                        schema.make_empty_lexicon(database, self.settings, copied)
                    yield database
                    was_sorted = compaction.note_run(database)
                    hold()
            except BaseException:
                with interrupts_held():
                    if database:
                        database.close()
                    if made and empty:
                        leave_nothing(self.file)
                raise
            wasteful = compaction.is_wasteful(database)
            database.close()
            open_files.record_verified(self.file, is_summed=True)
            then()  # if it fails, the lexicon stays
        if (was_sorted or wasteful) and compaction.give_back(self.file, self.limits, at_any_cost=was_sorted):
            open_files.record_verified(self.file, is_summed=True)

    def counts(self) -> CountsPlace | None:
        """Return the folder of the counts; None if the lexicon has its own counts, or is empty."""
        return None if self.is_empty() else find_counts_folder(self.file)

    def refuse_counts_elsewhere(self, what: str) -> None:
        """Raise LexiconError if the counts are in a folder. what: the reason, in words."""
        refuse_counts_elsewhere(self.file, self.counts(), what)

    def interrupt(self) -> None:
        """Stop the questions that other threads ask."""
        for each in (self._database, *self._cursors.values()):
            if each is not None:
                each.interrupt()

    def let_go(self) -> None:
        """Close the database, so that this process or another one can open it in another way."""
        with interrupts_held():  # what is closed by half could not be asked again
            for each in (*self._cursors.values(), self._database):
                if each is not None:
                    each.close()
            self._cursors.clear()
            self._database = None

    def close(self) -> None:
        """Close the session, after what other threads do with it has ended; closing it again does nothing."""
        with self._turns.ending():
            self.let_go()
            self._closed = True

    def _obey_settings(self, database: Database, empty: bool) -> None:
        """Take over the settings of the file: another process may have created it since this session was opened."""
        if not empty:
            if not open_files.is_verified(self.file):
                integrity.refuse_foreign(database)
                schema.check_revision(database)
                self._bring_back_ours(database)
            if not open_files.is_verified(self.file, open_files.SUMMED):
                integrity.refuse_wrong_totals(database)
            self.settings = schema.read_stored_settings(database)
            self.settings.refuse_others(self.given)

    def _bring_back_ours(self, database: Database) -> None:
        """Replace foreign macros and views by aptdb's, if there are any."""
        if schema.definitions_differ(database):
            with database.transaction():
                schema.install_definitions(database)
        counts = counts_in(database)  # not of another connection: opening the file may have changed it
        if names := integrity.strangers(database, counts):
            bring_back(database, names, counts)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LexiconError(f"{self.file} is closed; open it again")


def open_for_reading(
    file: Path, limits: Limits, attached: Mapping[str, Path], *, create: bool, confined: bool
) -> Database | None:
    """Verify a lexicon, and return its database for reading; None if the file is missing.

    attached: DuckDB files that questions can read, by name.
    """
    if not file.exists():
        if not create:
            raise no_lexicon(file)
        refuse_place_of_lexicon(file)
        return None
    refuse_place_of_lexicon(file)
    if is_not_begun(file):
        if create:
            return None
        raise schema.stopped_early(file)
    if not open_files.is_verified(file):
        with as_private_as(file):
            if not is_looked_through(file, limits, create=create):
                return None
    for each in attached.values():
        refuse_foreign_attached(each, limits)
    if not is_folder_remembered(file):
        database = Database(file, read_only=True, limits=limits, reach=() if confined else None, attached=attached)
        if remember_folder(database) is None:
            return database
        database.close()
    counts = follow(file, find_counts_folder(file))
    reach = reach_of(counts) if confined else None
    return Database(file, read_only=True, limits=limits, reach=reach, attached=attached)


def is_looked_through(file: Path, limits: Limits, *, create: bool, is_mended: bool = False) -> bool:
    """Verify the macros and views of a lexicon, and update them; return False if the file is missing.

    The file is opened separately, because this may write it. is_mended: whether foreign definitions were replaced just
    before. Raises LexiconError.
    """
    counts = None
    with ExitStack() as opened:
        database = opened.enter_context(closing(Database(file, read_only=True, limits=limits, scratch=new_scratch())))
        integrity.refuse_foreign(database)
        if remember_folder(database):  # its counts are in other files, which this connection may not read
            opened.close()
            counts = follow(file, find_counts_folder(file))
            found = Database(file, read_only=True, limits=limits, scratch=new_scratch(), reach=reach_of(counts))
            database = opened.enter_context(closing(found))
        if create and schema.is_empty(database):
            return False
        schema.check_revision(database)
        schema.read_stored_settings(database)
        is_older = schema.definitions_differ(database)
        names = [] if is_older else integrity.strangers(database, counts)
        if names:
            integrity.refuse_older_storage(database)
        if not is_older and not names:
            open_files.record_verified(file)
            return True
        if is_mended:
            raise schema.changed_by_others(
                database, f"aptdb's own macros or views cannot be restored: {name_first(names, SHOWN)}"
            )
    with_new_definitions(file, limits, names, counts)
    return is_looked_through(file, limits, create=create, is_mended=bool(names))


def refuse_foreign_attached(file: Path, limits: Limits) -> None:
    """Raise LexiconError if an attached file is a lexicon whose macros, views or tables are not aptdb's.

    Other files are the user's own. A lexicon of another version is attached, if nothing in it hides DuckDB's functions.
    """
    if open_files.is_verified(file):
        return
    with closing(Database(file, read_only=True, limits=limits, scratch=new_scratch())) as database:
        if not database.rows(statement("store/has_lexicon")):
            return
        integrity.refuse_foreign(database)
        if schema.revision(database) != version.REVISION or schema.definitions_differ(database):
            return
        if names := integrity.strangers(database, counts_in(database)):
            raise LexiconError(
                f"{file} has macros or views in place of aptdb's ({name_first(names, SHOWN)}); restore aptdb's by: "
                f"aptdb info {file}; then attach it"
            )
        open_files.record_verified(file)


def with_new_definitions(file: Path, limits: Limits, names: Sequence[str], counts: CountsPlace | None) -> None:
    """Update the macros and views of a lexicon to this version.

    names: objects that differ although the file claims to be current.
    """
    try:
        writable = Database(file, read_only=False, limits=limits, reach=reach_of(counts))
    except LexiconError as error:
        which = f"that are not aptdb's ({name_first(names, SHOWN)})" if names else "of another version"
        raise LexiconError(f"{file} has macros {which}, which must be updated when it is opened; {error}") from error
    with closing(writable) as database:
        if names:
            bring_back(database, names, counts)
        else:
            schema.upgrade_schema(database)


def bring_back(database: Database, names: Sequence[str], counts: CountsPlace | None) -> None:
    """Replace foreign macros and views by this version's, and warn. Raise LexiconError if that fails."""
    try:
        with database.transaction():
            if counts:
                put_view(database, counts)
            schema.install_definitions(database)
        left = integrity.strangers(database, counts)
    except QuestionError as error:
        raise schema.changed_by_others(database, str(error)) from error
    if left:
        raise schema.changed_by_others(database, f"others replace aptdb's macros or views: {name_first(left, SHOWN)}")
    what = "had other macros or views in place of aptdb's, which are back"
    warn(f"{database.file} {what}: {name_first(names, SHOWN)}", AptWarning)


def migrate_tables(file: Path) -> str:
    """Update the tables of an older lexicon to this version; return its former schema. Raise LexiconError."""
    if not file.is_file():
        raise no_lexicon(file)
    with closing(Database(file, read_only=True)) as database:
        integrity.refuse_foreign(database)
    counts = find_counts_folder(file)
    with closing(Database(file, read_only=False, reach=reach_of(counts))) as database:
        return schema.upgrade_schema(database, counts)


def compact(session: Session) -> None:
    """Sort the counts and free unused space. This also happens from time to time when corpora are added."""
    session.refuse_counts_elsewhere("there is nothing to sort")
    with session.writing() as database:
        compaction.sort_stored_counts(database)
    compaction.give_back(session.file, session.limits, at_any_cost=True, asked=True)
