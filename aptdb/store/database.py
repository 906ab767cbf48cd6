"""One DuckDB file, through SQLAlchemy: the only place that runs SQL."""

import re
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import sqlalchemy as sa
from duckdb_engine import ConnectionWrapper
from sqlalchemy.pool import StaticPool

from aptdb.errors import AptError, InUseError, LexiconError, QuestionError
from aptdb.store.duckdb_errors import cannot_open, in_one_line
from aptdb.store.interrupts import heard, interrupts_held
from aptdb.store.limits import LEAST_OF_DUCKDB, OF_DUCKDB, Limits
from aptdb.store.limits import limits as usual_limits
from aptdb.store.literals import literal
from aptdb.store.scratch import room_for_scratch

if TYPE_CHECKING:
    import numpy as np

INTERRUPTED = ("Query interrupted", "INTERRUPT Error")

FIRST_BLOCKS = 3 * 4096  # how a file of DuckDB begins, before anything is in it

# A word with half of a surrogate pair, which stands for a byte that is not UTF-8.
NO_TEXT = re.compile("[^\\s']*[\ud800-\udfff][^\\s']*")

Table = tuple[tuple[str, ...], tuple[str, ...], list[tuple[Any, ...]]]


@contextmanager
def interrupts_told() -> Iterator[None]:
    """Turn the errors that DuckDB raises on a signal into KeyboardInterrupt."""
    try:
        yield
    except (RuntimeError, sa.exc.DBAPIError, duckdb.Error) as error:
        if str(getattr(error, "orig", None) or error).startswith(INTERRUPTED):
            raise KeyboardInterrupt from error
        raise


class Database:
    """An open file. Everything is written within `transaction()`.

    A lexicon may come from a stranger, and what is in it is data: its views and macros can reach no other file than the
    lexicon itself, those in `reach`, and what stands in the folder `scratch`, which is not there until somebody makes
    it.
    """

    @interrupts_told()
    def __init__(
        self,
        file: Path,
        *,
        read_only: bool,
        limits: Limits | None = None,
        reach: Iterable[Path] | None = (),
        scratch: Path | None = None,
    ) -> None:
        """Open a file.

        limits: of memory, by default those of the command. reach: the other files that statements may read and write;
        None for all. scratch: a folder in which they may do so; what writes has one anyway.
        """
        self.limits = limits or usual_limits()
        self.file = file
        self.read_only = read_only
        # What statements read, for messages; None where other lexicons may be attached.
        self._read = None if reach is None or [*reach] else file
        self.scratch = scratch or new_scratch()
        self._writing = False
        # Each chunk overwrites the one before in the same file, so DuckDB must not cache what it read there.
        config = {"enable_external_file_cache": "false", "memory_limit": self.limits.of_duckdb()}
        if self.limits.temp:
            config["temp_directory"] = str(self.limits.temp)
        files, folders = [*(reach or ())], [] if read_only and not scratch else [self.scratch]
        closed = reach is not None and not files and not folders
        if closed and not self.limits.temp:
            # Several connections of a process share these, which can only be the same.
            config |= {"enable_external_access": "false", "lock_configuration": "true"}
        self._connect(config)
        if closed and self.limits.temp:
            self._lock_in()
        elif reach is not None and not closed:
            self._confine(files, folders)

    def _connect(self, config: dict[str, str]) -> None:
        """Open the file with settings of DuckDB. Raises LexiconError."""
        self._engine = sa.create_engine(
            sa.URL.create("duckdb", database=as_local(self.file)),
            connect_args={"read_only": self.read_only, "config": config},
            poolclass=StaticPool,
            pool_reset_on_return=None,  # `close` undoes what is open; where that fails, the pool would show a traceback
        )
        made = not self.file.exists()
        try:
            self.connection = self._engine.connect()
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._engine.dispose()
            refused = cannot_open(self.file, error)
            if made and not isinstance(refused, InUseError):
                leave_no_empty_file(self.file)
            raise refused from None

    def _lock_in(self) -> None:
        """Let statements reach no other file, after a folder for temporary files was named: before, it is refused."""
        with suppress(duckdb.InvalidInputException):  # another connection of this process has done and locked it
            self._cursor().execute("SET enable_external_access = false")
            self._cursor().execute("SET lock_configuration = true")
        if self.value("SELECT system.main.current_setting('enable_external_access')"):
            self.close()
            raise LexiconError(f"{self.file} cannot be kept from other files; leave out --temp")
        self.end_questions()

    def _confine(self, files: list[Path], folders: list[Path]) -> None:
        """Let statements reach these files and folders only. This cannot be undone while the file is open."""
        for setting, places in (("allowed_paths", files), ("allowed_directories", folders)):
            self._cursor().execute(f"SET {setting} = {literal([str(each.absolute()) for each in places])}")
        self._cursor().execute("SET enable_external_access = false")

    def _cursor(self) -> Any:
        """A cursor beside SQLAlchemy, which begins a transaction at every statement.

        In an open transaction DuckDB 2.0.0 does not hear Ctrl-C while some plans run.
        """
        return self.connection.connection.cursor()

    def name(self) -> str:
        """What statements call it; other databases may be attached."""
        return str(self.value("SELECT system.main.current_database()"))

    def beside(self) -> "Database":
        """Another connection to the same file, with temporary tables and transactions of its own."""
        own, found = self._cursor().cursor(), copy(self)
        found._writing = False
        found._engine = sa.create_engine(
            "duckdb://", creator=lambda: ConnectionWrapper(own), poolclass=StaticPool, pool_reset_on_return=None
        )
        found.connection = found._engine.connect()
        return found

    def close(self) -> None:
        """Close the file. Closing it again does nothing.

        A database that DuckDB has given up, because a disk failed, cannot even undo: what was not committed is lost.
        """
        with interrupts_held():
            with suppress(sa.exc.DBAPIError, duckdb.Error):
                self.connection.close()
            self._engine.dispose()

    def run(self, statement: str | sa.Executable, parameters: Mapping[str, Any] | None = None) -> sa.CursorResult[Any]:
        """Run one statement, or a script without parameters; `$name` in it stands for a parameter.

        Raises QuestionError with the message of the macro that refused, or with DuckDB's.
        """
        with self._asking():
            if not isinstance(statement, str):
                return self.connection.execute(statement, parameters)
            refuse_no_text(statement)
            values = dict(parameters) if parameters else ()
            # The transaction can only be undone when the statement has ended.
            return heard(lambda: self.connection.exec_driver_sql(statement, values), self._cursor().interrupt, inf)

    def run_whole(self, statement: str) -> None:
        """Run a statement that Ctrl-C must not stop halfway: it is delayed until the statement has ended.

        DuckDB 2.0.0 hangs if a recursive query is interrupted.
        """
        with interrupts_held():
            self.run(statement)

    def table(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Table:
        """Run a question: its columns' names, their types, and all rows. Raises like `run`, and if it gives no rows."""
        with self._asking():
            columns, rows = self._asked(statement, parameters, lambda cursor: (cursor.description, cursor.fetchall()))
        if not columns:
            raise QuestionError("this statement gives no rows; use a SELECT")
        return tuple(str(column[0]) for column in columns), tuple(str(column[1]) for column in columns), rows

    def _asked(self, statement: str, parameters: Mapping[str, Any] | None, fetch: Callable[[Any], Any]) -> Any:
        """What is fetched of the answer to a question; outside of `transaction()` it runs by itself."""
        refuse_no_text(statement)
        if not self._writing:
            self.end_questions()
        cursor = self._cursor()

        def work() -> Any:
            cursor.execute(statement, dict(parameters) if parameters else None)
            return fetch(cursor)

        return heard(work, cursor.interrupt)

    def apart(self, statement: str) -> None:
        """Run a statement by itself, outside of a transaction: DuckDB cannot detach what one has worked on."""
        with self._asking():
            self._asked(statement, None, lambda _: None)

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Only the rows."""
        return self.table(statement, parameters)[2]

    def value(self, statement: str | sa.Executable, parameters: Mapping[str, Any] | None = None) -> Any:
        """The first column of the first row, or None if there is no row."""
        return self.run(statement, parameters).scalar()

    def arrays(self, statement: str) -> "dict[str, np.ndarray[Any, Any]]":
        """The columns of a question as numpy's arrays of shape (rows,), in DuckDB's types. Raises like `run`."""
        with self._asking():
            return dict(self._asked(statement, None, lambda cursor: cursor.fetchnumpy()))

    def bring(self, name: str, arrays: "Mapping[str, np.ndarray[Any, Any]]") -> None:
        """Let what `run` runs read arrays of the same length as the columns of a relation."""
        self.connection.connection.register(name, arrays)

    def leave_memory(self, share: float) -> None:
        """Let DuckDB use less of the limit, by a share of it, where Python needs that."""
        left = max(LEAST_OF_DUCKDB, int(self.limits.memory * (OF_DUCKDB - share)))
        self.run(f"SET memory_limit = '{left // 10**6}MB'")

    def set(self, **variables: Any) -> None:
        """Set session variables, which statements read with getvariable(). Values that need a type are SqlText."""
        for name, value in variables.items():
            self.run(f"SET VARIABLE {name} = {literal(value)}")

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn DuckDB's errors into ours, and end the transaction of a failed question, so that more can be asked."""
        try:
            with interrupts_told():
                yield
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            if not self._writing:
                with suppress(sa.exc.DBAPIError, duckdb.Error):
                    self.connection.rollback()
            raise self._told(error) from None

    def _told(self, error: BaseException) -> AptError:
        """An error of DuckDB as one of ours."""
        return in_one_line(error, self._read, self.limits)

    def end_questions(self) -> None:
        """End the transaction that SQLAlchemy began at the first question, if one is open."""
        if self.connection.in_transaction():
            with interrupts_held(), self._asking():
                self.connection.commit()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run all statements in the block or none: any error, also Ctrl-C, undoes them."""
        self.end_questions()
        self._writing = True
        try:
            self.connection.begin()
            try:
                yield
            except BaseException:
                with suppress(sa.exc.DBAPIError, duckdb.Error):  # of a database that DuckDB has given up
                    self.connection.rollback()
                raise
            with interrupts_held():
                self.connection.commit()
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            raise self._told(error) from None
        finally:
            self._writing = False

    def go_on(self) -> None:
        """Within `transaction()`: end it here and begin another, where what is done need not be undone."""
        with interrupts_held(), self._asking():
            self.connection.commit()
            self.connection.begin()


def as_local(file: Path) -> str:
    """A file as DuckDB finds it on this machine: md:x.duckdb alone would be a place elsewhere."""
    is_plain = file.is_absolute() or ":" not in str(file) or str(file) == ":memory:"
    return str(file) if is_plain else f"./{file}"


def new_scratch() -> Path:
    """The path of a folder for temporary files that nobody can guess; it is not made."""
    with room_for_scratch():
        return Path(tempfile.gettempdir(), f"aptdb-{secrets.token_hex(16)}").absolute()


def in_memory(limits: Limits | None = None) -> Database:
    """A database of our own for what is needed for a moment, which can reach every file."""
    return Database(Path(":memory:"), read_only=False, limits=limits, reach=None)


def refuse_no_text(statement: str) -> None:
    """Raise QuestionError for text that is no Unicode: arguments of a command may be any bytes."""
    if found := NO_TEXT.search(statement):
        raise QuestionError(f"{found[0]} is not UTF-8 text")


def leave_no_empty_file(file: Path) -> None:
    """Delete what DuckDB leaves of a file that it could not create: nothing but its first blocks."""
    with suppress(OSError):
        if file.stat().st_size <= FIRST_BLOCKS:
            file.unlink()
