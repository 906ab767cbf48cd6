"""An open DuckDB file. Only this module runs SQL. Migrations alone go through SQLAlchemy."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from math import inf
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import AptError, AptWarning, InUseError, LexiconError, NoRoomError, QuestionError, warn
from aptdb.store.attached import refuse_attached_name
from aptdb.store.duckdb_errors import cannot_open, in_one_line, interrupts_translated
from aptdb.store.file_writing import (
    as_local,
    before_opening,
    is_as_before,
    leave_no_empty_file,
    refuse_no_utf8,
    without_dots,
)
from aptdb.store.interrupts import PATIENCE, interrupts_held, run_interruptibly
from aptdb.store.lazy_imports import duckdb, with_relations
from aptdb.store.limits import LEAST_OF_DUCKDB, OF_DUCKDB, Limits, confine
from aptdb.store.limits import limits as usual_limits
from aptdb.store.statements import SqlText, identifier, literal, refuse_no_text
from aptdb.store.statements import statement as statement_of
from aptdb.store.temporary_folders import IN_MEMORY, leave_folder, new_scratch, own_folder, sweep_beside, temp_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import sqlalchemy as sa

AGAIN = 0.1  # seconds until a file is tried again that another process has open
RESTLESS = 10  # seconds after which a file that changes whenever it is opened is given up
# A commit that adds more than this goes into the file at once; else it would be written into a log first. What lies
# beside the file in memory would be compressed at each of its commits.
WITHOUT_LOG = "SET checkpoint_threshold = '1KB'"

Table = tuple[tuple[str, ...], tuple[str, ...], list[tuple[Any, ...]]]


class Database:
    """An open file. Everything is written within `transaction()`.

    A lexicon may come from a stranger: its views and macros can read no file but the lexicon itself, the files in
    `reach`, and the folder `scratch`, which does not exist until it is needed.
    """

    @interrupts_translated()
    def __init__(
        self,
        file: Path,
        *,
        read_only: bool,
        limits: Limits | None = None,
        reach: Iterable[Path] | None = (),
        scratch: Path | None = None,
        attached: Mapping[str, Path] | None = None,
    ) -> None:
        """Open a file.

        limits: limits of memory; by default those of the command. reach: other files that statements may read and
        write; None for all. scratch: a folder in which they may do so. attached: DuckDB files that statements may read,
        by name.
        """
        self.limits = limits or usual_limits()
        self.file = file = without_dots(file)
        for each in (file, *(reach or ()), *(attached or {}).values()):
            refuse_no_utf8(each)
        self.read_only = read_only
        # What statements read, for messages; None where other lexicons may be attached.
        self._read = None if reach is None or [*reach] or attached else file
        self.scratch = scratch or new_scratch()
        self._writing = self._is_beside = False
        self.is_open = True
        # Each chunk overwrites the one before in the same file, so DuckDB must not cache what it read there.
        config: dict[str, Any] = {"enable_external_file_cache": "false", "memory_limit": self.limits.of_duckdb()}
        temp = self.limits.temp or temp_of(file)
        self._temp = own_folder(temp, file) if temp and os.access(temp, os.W_OK) else None
        if self._temp:
            config["temp_directory"] = str(self._temp)
        files, folders = [*(reach or ())], [] if read_only and not scratch else [self.scratch]
        closed = reach is not None and not files and not folders
        opens_more = "temp_directory" in config or bool(attached)
        if closed and not opens_more:
            # Several connections of a process share these, which can only be the same.
            config |= {"enable_external_access": "false", "lock_configuration": "true"}
        if reach is not None and attached:
            config |= {"autoload_known_extensions": "false", "autoinstall_known_extensions": "false"}
        self._config, self._attached = config, attached or {}
        self._locked_in = closed and opens_more
        self._confined = None if reach is None or closed else (files, folders)
        self._connect(self._config)
        if not read_only:
            sweep_beside(file)
        self._shut_in()

    def _shut_in(self) -> None:
        """Attach files, and lock out all others. Raise LexiconError."""
        self._attach(self._attached)
        if self._locked_in:
            self._lock_in()
        elif self._confined:
            try:
                confine(lambda text: self._duckdb.execute(text).fetchall(), self.file, *self._confined)
            except LexiconError:
                self.close()
                raise
        self.allow_stale("*")

    def _connect(self, config: dict[str, Any]) -> None:
        """Open the file with our settings of DuckDB. Raise LexiconError.

        DuckDB (2.0) reads the head of a file before it locks it. What another process writes in between would be lost.
        """
        made = not self.file.exists()
        until, told = monotonic() + self.limits.wait, False
        settled = until + RESTLESS
        while True:
            before = before_opening(self.file, settled)
            try:
                self._duckdb = duckdb.connect(as_local(self.file), read_only=self.read_only, config=config)
                if is_as_before(self.file, before):
                    return
                self._duckdb.close()
                refused = LexiconError(f"{self.file} changes while it is opened; stop the program that writes it")
                is_changed = True
            except duckdb.Error as error:
                refused = cannot_open(self.file, error, reads=self.read_only)
                is_ours = isinstance(refused, InUseError | NoRoomError)  # no room is left for a file that was just made
                is_changed = not is_ours and before != before_opening(self.file, settled)
            if is_changed and monotonic() < settled:
                continue
            if not isinstance(refused, InUseError) or monotonic() >= until:
                break
            if not told:
                warn(f"{str(refused).partition(';')[0]}; waiting for it up to {self.limits.wait:g} s", AptWarning)
                told = True
            sleep(AGAIN)
        if made and not isinstance(refused, InUseError):
            leave_no_empty_file(self.file)
        if self._temp:
            leave_folder(self._temp)
        raise refused

    def _attach(self, files: Mapping[str, Path]) -> None:
        """Attach files for reading, before other files are locked out. Raise LexiconError."""
        try:
            for name, file in files.items():
                self._attach_file(name, file, dict(self.rows(statement_of("store/taken_names"))))
        except BaseException:
            self.close()
            raise

    def _attach_file(self, name: str, file: Path, taken: Mapping[str, str | None]) -> None:
        """Attach a file under a name. taken: names in use, with the file of each database."""
        if (there := taken.get(name)) and Path(there).samefile(file):
            return  # another connection of this process has done it
        refuse_attached_name(name, file, taken, is_word=not self._is_name(name))
        # An absolute path begins with nothing that DuckDB takes for another place, or another kind of file.
        where = literal(str(file.absolute()))
        try:
            with interrupts_translated():
                self._duckdb.execute(f"ATTACH {where} AS {identifier(name)} (READ_ONLY, TYPE duckdb)")
        except duckdb.PermissionException:
            message = f"{self.file} is already open in this process without {file}; close it there first"
            raise LexiconError(message) from None
        except duckdb.Error as error:
            raise cannot_open(file, error, reads=True) from None

    def _is_name(self, name: str) -> bool:
        """Return whether a text is a name in SQL without quotation marks."""
        try:
            return self.kinds(f"FROM {name}.{name}") == ["SELECT"]
        except QuestionError:
            return False

    def _lock_in(self) -> None:
        """Lock out all other files. Naming a folder and attaching a file are refused afterwards."""
        with suppress(duckdb.InvalidInputException):  # another connection of this process has done and locked it
            self._duckdb.execute("SET enable_external_access = false")
            self._duckdb.execute("SET lock_configuration = true")
        if self.value("SELECT system.main.current_setting('enable_external_access')"):
            self.close()
            advice = "leave out --temp" if self.limits.temp else "close it where this process has it open"
            raise LexiconError(f"{self.file} cannot be locked against access to other files; {advice}")

    def connect_sqlalchemy(self) -> "sa.Connection":
        """Return a connection of SQLAlchemy to the open file, which ends with it: migrations need one."""
        with interrupts_held():  # what is imported half breaks what cleans up
            from duckdb_engine import ConnectionWrapper
            from sqlalchemy import create_engine
            from sqlalchemy.pool import StaticPool

            engine = create_engine(
                "duckdb://",
                creator=lambda: ConnectionWrapper(self._duckdb),
                poolclass=StaticPool,
                pool_reset_on_return=None,  # `close` undoes what is open; if that fails, a pool shows a traceback
            )
            for name in ("do_begin", "do_commit", "do_rollback"):
                setattr(engine.dialect, name, left_to_transaction)
            return engine.connect()

    def name(self) -> str:
        """Return the name of the database in statements; other databases may be attached."""
        return str(self.value("SELECT system.main.current_database()"))

    def beside(self) -> "Database":
        """Return another connection to the same file, with its own temporary tables and transactions."""
        found = copy(self)
        found._writing, found._duckdb = False, self._duckdb.cursor()
        found._temp, found._is_beside = None, True
        found.allow_stale("*")
        return found

    def again(self) -> "Database | None":
        """Return a further connection to the open file, which is closed by itself; None if this one is closed."""
        found = copy(self)
        found._writing = found._is_beside = False
        found._temp = self._temp and own_folder(self._temp.parent, self.file)
        with self._asking(), interrupts_held():  # nobody can write what is open, so it need not be compared
            found._duckdb = duckdb.connect(as_local(self.file), read_only=self.read_only, config=self._config)
        found._shut_in()
        if self.is_open:  # so both read the same
            return found
        found.close()
        return None

    def close(self) -> None:
        """Close the file; closing it again does nothing.

        A database that DuckDB gave up because a disk failed cannot even roll back: what was not committed is lost.
        """
        with interrupts_held():
            self.is_open = False
            with suppress(duckdb.Error):
                self._duckdb.close()
            if self._temp:
                leave_folder(self._temp)
                self._temp = None

    def interrupt(self) -> None:
        """Stop the statement that another thread runs, which then raises KeyboardInterrupt; do nothing if none runs."""
        self._duckdb.interrupt()

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Run one statement, or a script without parameters; `$name` in it stands for a parameter.

        Raises QuestionError with the message of the macro that refused, or with DuckDB's.
        """
        with self._asking(statement):
            self._asked(statement, parameters, lambda _: None, inf)  # what writes could not be left alone

    def put(self, table: str, row: Mapping[str, Any]) -> None:
        """Insert a row into a table of ours. row: values by column."""
        columns, values = SqlText(", ".join(row)), SqlText(", ".join(f"${name}" for name in row))
        self.run(statement_of("store/put", table=SqlText(table), columns=columns, values=values), row)

    def run_whole(self, statement: str) -> None:
        """Run a statement that must not be interrupted: Ctrl-C is delayed until it has ended.

        DuckDB 2.0.0 hangs if a recursive query is interrupted.
        """
        with interrupts_held():
            self.run(statement)

    def table(self, statement: str, parameters: Mapping[str, Any] | None = None, most: int | None = None) -> Table:
        """Run a question; return column names, types, and all rows, or the first `most`.

        Raises like `run`, and if the statement gives no rows.
        """

        def fetch(cursor: Any) -> tuple[Any, Any]:
            return cursor.description, cursor.fetchall() if most is None else cursor.fetchmany(most)

        with self._asking(statement):
            columns, rows = self._asked(statement, parameters, fetch)
        if not columns:
            raise QuestionError("this statement gives no rows; use a SELECT")
        return tuple(str(column[0]) for column in columns), tuple(str(column[1]) for column in columns), rows

    def _asked(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None,
        fetch: Callable[[Any], Any],
        patience: float = PATIENCE,
    ) -> Any:
        """Fetch the answer to a statement; outside of `transaction()` it runs in autocommit.

        patience: seconds to wait after Ctrl-C. In an open transaction DuckDB 2.0.0 does not notice it while some plans
        run, and only when they have ended can the transaction be undone, which therefore waits for them.
        """
        refuse_no_text(statement)

        def work() -> Any:
            self._duckdb.execute(statement, dict(parameters) if parameters else None)
            return fetch(self._duckdb)

        return run_interruptibly(work, self._duckdb.interrupt, inf if self._writing else patience)

    def apart(self, statement: str) -> None:
        """Run a statement outside of a transaction: DuckDB cannot detach a database that a transaction has used."""
        with self._asking(statement):
            self._asked(statement, None, lambda _: None)

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a question."""
        return self.table(statement, parameters)[2]

    def first(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the first row of a question, whose columns are attributes; None if there is no row."""
        columns, _, rows = self.table(statement, parameters, most=1)
        return SimpleNamespace(**dict(zip(columns, rows[0], strict=True))) if rows else None

    def kinds(self, text: str) -> list[str]:
        """Return the kinds of the statements in a text, e.g. SELECT, without running them. Raise like `run`."""
        with self._asking():
            return [each.type.name for each in self._duckdb.extract_statements(text)]

    def value(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the first column of the first row; None if there is no row."""
        with self._asking(statement):
            row = self._asked(statement, parameters, lambda cursor: cursor.fetchone())
        return row[0] if row else None

    def arrays(self, statement: str) -> "dict[str, np.ndarray[Any, Any]]":
        """Return the columns of a question as numpy arrays of shape (rows,), in DuckDB's types. Raise like `run`."""
        with self._asking(statement):
            return dict(self._asked(statement, None, lambda cursor: cursor.fetchnumpy()))

    def arrow(self, statement: str) -> "pa.Table":
        """Return the rows of a question as an Arrow table. Raise like `run`."""
        with self._asking(statement):
            refuse_no_text(statement)
            return self._with_relations().sql(statement).to_arrow_table()

    def batches(self, statement: str, size: int, schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
        """Yield the rows of a question as Arrow batches of limited size, cast to a schema.

        Raises like `run`.
        """
        with self._asking(statement):
            refuse_no_text(statement)
            for each in self._with_relations().sql(statement).to_arrow_reader(size):
                yield each.cast(schema)

    def bring(self, name: str, arrays: "Mapping[str, np.ndarray[Any, Any]] | pa.Table") -> None:
        """Make an Arrow table, or arrays of equal length, readable as a relation for `run`."""
        self._with_relations().register(name, arrays)

    def _with_relations(self) -> Any:
        """Return the connection with the methods of DuckDB's package."""
        self.rows("SELECT NULL")  # an answer that was not read to its end would refuse what follows
        return with_relations(self._duckdb)

    def leave_memory(self, share: float) -> None:
        """Reduce DuckDB's share of the memory limit, where Python needs memory."""
        left = max(LEAST_OF_DUCKDB, int(self.limits.memory * (OF_DUCKDB - share)))
        self.run(f"SET memory_limit = '{left // 10**6}MB'")

    def set(self, **variables: Any) -> None:
        """Set session variables, which statements read with getvariable(). Values that need a type are SqlText."""
        for name, value in variables.items():
            self.run(f"SET VARIABLE {name} = {literal(value)}")

    def allow_stale(self, *names: str) -> None:
        """Let questions use stale entries and spaces of these names as they were; '*' is all, whose callers warn."""
        self.set(aptdb_allow_stale=[*names])

    @contextmanager
    def _asking(self, query: str = "") -> Iterator[None]:
        """Translate DuckDB's errors."""
        try:
            with interrupts_translated():
                yield
        except duckdb.Error as error:
            raise self._as_our_error(error, query) from None

    def _as_our_error(self, error: BaseException, query: str = "") -> AptError:
        """Return the AptError for an error of DuckDB. query: what was asked."""
        return in_one_line(error, self._read, self.limits, query)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all statements of the block, or none: any error, also Ctrl-C, rolls back."""
        self._writing = True
        try:
            self._duckdb.begin()
            try:
                yield
            except BaseException:
                with suppress(duckdb.Error):  # of a database that DuckDB has given up
                    self._duckdb.rollback()
                raise
            with interrupts_held():
                if not self._is_beside:
                    self._duckdb.execute(WITHOUT_LOG)
                self._duckdb.commit()
        except duckdb.Error as error:
            raise self._as_our_error(error) from None
        finally:
            self._writing = False

    def go_on(self) -> None:
        """Commit within `transaction()` and begin the next transaction, where nothing has to be undone."""
        with interrupts_held(), self._asking():
            self._duckdb.commit()
            self._duckdb.begin()


def left_to_transaction(_: Any) -> None:
    """Do nothing where SQLAlchemy would begin or end a transaction: `Database.transaction` does."""


def in_memory(limits: Limits | None = None) -> Database:
    """Return a temporary database in memory, which can read every file."""
    return Database(IN_MEMORY, read_only=False, limits=limits, reach=None)
