"""One DuckDB file, through SQLAlchemy: the one place that runs SQL, and that turns DuckDB's errors into ours."""

import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from aptdb.errors import AptError, InUseError, LexiconError, NoRoomError, QuestionError, UnknownNameError
from aptdb.store.literals import literal

if TYPE_CHECKING:
    import numpy as np

# What a macro says with error() reaches us as this; it is a sentence of ours already.
OUR_WORDS = "Invalid Input Error: "
UNKNOWN = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException)
INTERRUPTED = ("Query interrupted", "INTERRUPT Error")

# What DuckDB says of a file that it cannot write for want of room, also within its JSON; and of one that is not whole.
NO_ROOM = re.compile(
    r'(?:file|to|for) \\*"(?P<file>[^"\\]+)\\*"[^"]*?: '
    r"(?P<why>No space left on device|File too large|Disk quota exceeded)",
)
NO_RIGHTS = "no permission; look at the rights of the file and its folder"
NOT_WHOLE = re.compile(r"Corrupt database file|Could not read enough bytes|does not match stored checksum")

Table = tuple[tuple[str, ...], tuple[str, ...], list[tuple[Any, ...]]]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until what is within has run, then hand it on. Python has signals in its main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) or signal.SIG_DFL
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(signal.SIGINT, None)
    elif came and before is not signal.SIG_IGN:
        raise KeyboardInterrupt


@contextmanager
def interrupts_told() -> Iterator[None]:
    """Raise KeyboardInterrupt for what DuckDB's client makes of Ctrl-C while a statement runs."""
    try:
        yield
    except (RuntimeError, sa.exc.DBAPIError, duckdb.Error) as error:
        if original(error).startswith(INTERRUPTED):
            raise KeyboardInterrupt from error
        raise


class Database:
    """An open file. What is to be written is written within `transaction()`."""

    @interrupts_told()
    def __init__(self, file: Path, *, read_only: bool, memory_limit: str | None = None, confined: bool = False) -> None:
        self.file = file
        self.read_only = read_only
        self._writing = False
        # A chunk is written over the one before it: DuckDB must not remember what it read there last time.
        config = {"enable_external_file_cache": "false"}
        if memory_limit:
            config["memory_limit"] = memory_limit
        if confined:
            config |= {"enable_external_access": "false", "lock_configuration": "true"}
        self._engine = sa.create_engine(
            sa.URL.create("duckdb", database=str(file)),
            connect_args={"read_only": read_only, "config": config},
            poolclass=StaticPool,
        )
        made = not file.exists()
        try:
            self.connection = self._engine.connect()
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._engine.dispose()
            if made and NO_ROOM.search(original(error)):
                file.unlink(missing_ok=True)  # DuckDB leaves what it could begin of it
            raise cannot_open(file, error) from error

    def close(self) -> None:
        """Close the file. Doing so again does nothing."""
        with interrupts_held():
            self.connection.close()
            self._engine.dispose()

    def run(self, statement: str | sa.Executable, parameters: Mapping[str, Any] | None = None) -> sa.CursorResult[Any]:
        """Run one statement, or a script without parameters; `$name` in it stands for a parameter.

        Raises QuestionError in the words of the macro that refused, or in DuckDB's.
        """
        with self._asking():
            if isinstance(statement, str):
                return self.connection.exec_driver_sql(statement, dict(parameters) if parameters else ())
            return self.connection.execute(statement, parameters)

    def run_whole(self, statement: str) -> None:
        """Run a statement that Ctrl-C must not stop halfway: it is held back until the statement is through.

        DuckDB 2.0.0 never comes back from a recursive query that is interrupted.
        """
        with interrupts_held():
            self.run(statement)

    def table(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Table:
        """Run a question: its columns' names, their types and all rows. Raises as `run`, and where it can give none."""
        answer = self.run(statement, parameters)
        if answer.cursor is None or not answer.cursor.description:
            raise QuestionError("this gives no rows; ask with a SELECT")
        columns = answer.cursor.description
        with self._asking():
            rows = [tuple(row) for row in answer.fetchall()]
        return tuple(str(column[0]) for column in columns), tuple(str(column[1]) for column in columns), rows

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows alone."""
        return self.table(statement, parameters)[2]

    def value(self, statement: str | sa.Executable, parameters: Mapping[str, Any] | None = None) -> Any:
        """The first column of the first row, or None where there is no row."""
        return self.run(statement, parameters).scalar()

    def arrays(self, statement: str) -> "dict[str, np.ndarray[Any, Any]]":
        """The columns of a question as numpy's arrays of shape (rows,), in DuckDB's types. Raises as `run`."""
        answer = self.run(statement)
        with self._asking():
            return dict(answer.cursor.fetchnumpy()) if answer.cursor else {}

    def set(self, **variables: Any) -> None:
        """Set session variables, which statements read with getvariable(). What needs a type of its own is SqlText."""
        for name, value in variables.items():
            self.run(f"SET VARIABLE {name} = {literal(value)}")

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Make DuckDB's errors ours, and end the transaction of a question, so that more can be asked."""
        try:
            with interrupts_told():
                yield
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            if not self._writing:
                self.connection.rollback()
            raise in_one_line(error) from error

    def end_questions(self) -> None:
        """End the transaction that SQLAlchemy began at the first question, where one is open."""
        if self.connection.in_transaction():
            with interrupts_held(), self._asking():
                self.connection.commit()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing of the statements within; whatever ends it early, Ctrl-C included, undoes them."""
        self.end_questions()
        self._writing = True
        try:
            changes = self.connection.begin()
            try:
                yield
            except BaseException:
                changes.rollback()
                raise
            with interrupts_held():
                changes.commit()
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            raise in_one_line(error) from error
        finally:
            self._writing = False


def original(error: BaseException) -> str:
    """DuckDB's own text of an error that SQLAlchemy may have wrapped."""
    return str(getattr(error, "orig", None) or error)


def in_one_line(error: BaseException, file: Path | None = None) -> AptError:
    """An error of DuckDB as one of ours: the sentence of the macro that refused, or DuckDB's first paragraph."""
    text = original(error)
    full = NO_ROOM.search(text)
    if full:
        return NoRoomError(f"{full['file']} cannot be written: {full['why']}; make room, then do this again")
    kept_out = re.search(r'Cannot open file "([^"]+)": Permission denied', text)
    if kept_out:
        return LexiconError(f"{kept_out[1]} cannot be opened: {NO_RIGHTS}")
    if NOT_WHOLE.search(text):
        return LexiconError(f"{named(file, text)} is damaged or cut off; take it from a copy: {one_line(text)}")
    kind = UnknownNameError if isinstance(getattr(error, "orig", error), UNKNOWN) else QuestionError
    return kind(one_line(text.removeprefix(OUR_WORDS)))


def one_line(text: str) -> str:
    """The first paragraph of a text."""
    return re.sub(r"\s+", " ", text.split("\n\n", maxsplit=1)[0]).strip()


def named(file: Path | None, text: str) -> str:
    """The file that an error is about: one that it names, or the one given, or some file."""
    found = re.search(r'file "([^"]+)"', text)
    return found[1] if found else str(file or "a DuckDB file")


def cannot_open(file: Path, error: BaseException) -> LexiconError:
    """Why a file could not be opened, and what to do."""
    text = original(error)
    if "Could not set lock" in text or "Conflicting lock" in text:
        holder = re.search(r"PID (\d+)", text)
        who = f"process {holder[1]}" if holder else "another process"
        return InUseError(f"{file} is in use by {who}; while one process writes, no other can open it: try again later")
    if "different configuration" in text:
        return LexiconError(f"{file} is open in this process already, in another mode; close it there first")
    if "not a valid DuckDB" in text:
        return LexiconError(f"{file} is no lexicon: it is not a DuckDB file")
    if "Permission denied" in text or "read-only" in text.lower():
        return LexiconError(f"{file} cannot be opened: {NO_RIGHTS}")
    known = in_one_line(error, file)
    return known if isinstance(known, LexiconError) else LexiconError(f"{file} cannot be opened: {known}")
