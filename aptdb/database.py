"""One DuckDB file, through SQLAlchemy: the one place that runs SQL, and that turns DuckDB's errors into ours."""

import math
import numbers
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

from aptdb.errors import AptError, LexiconError, QuestionError

if TYPE_CHECKING:
    import numpy as np

# What a macro says with error() reaches us as this; it is a sentence of ours already.
OUR_WORDS = "Invalid Input Error: "

Table = tuple[tuple[str, ...], tuple[str, ...], list[tuple[Any, ...]]]


class Database:
    """An open file. What is to be written is written within `transaction()`."""

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
        try:
            self.connection = self._engine.connect()
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._engine.dispose()
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
        try:
            if isinstance(statement, str):
                return self.connection.exec_driver_sql(statement, dict(parameters) if parameters else ())
            return self.connection.execute(statement, parameters)
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._forget()
            raise in_one_line(error) from error
        except RuntimeError as error:
            # What DuckDB's client makes of Ctrl-C while a statement runs.
            if "interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise

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
        try:
            rows = [tuple(row) for row in answer.fetchall()]
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._forget()
            raise in_one_line(error) from error
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
        try:
            return dict(answer.cursor.fetchnumpy()) if answer.cursor else {}
        except (sa.exc.DBAPIError, duckdb.Error) as error:
            self._forget()
            raise in_one_line(error) from error

    def set(self, **variables: Any) -> None:
        """Set session variables, which statements read with getvariable(). What needs a type of its own is SqlText."""
        for name, value in variables.items():
            self.run(f"SET VARIABLE {name} = {literal(value)}")

    def _forget(self) -> None:
        """After an error in a question, end the transaction that SQLAlchemy began for it: the next can be asked."""
        if not self._writing:
            self.connection.rollback()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing of the statements within; whatever ends it early, Ctrl-C included, undoes them."""
        if self.connection.in_transaction():
            # SQLAlchemy began one at the first question; it has only read.
            self.connection.commit()
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


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until what is within has run; Python has signals in its main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) or signal.SIG_DFL
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and before is not signal.SIG_IGN:
        raise KeyboardInterrupt


class SqlText(str):
    """Text that is SQL already, not a value to be quoted."""


def literal(value: Any) -> str:
    """A value as SQL writes it: text, numbers, booleans, None, and lists and dictionaries (structs) of them."""
    if isinstance(value, SqlText):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(each) for each in value) + "]"
    return plain_literal(value)


def plain_literal(value: Any) -> str:
    """A single value as SQL writes it; numpy's numbers as Python's own."""
    if value is None:
        return "NULL"
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's has the name, and no base in common
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return repr(float(value))
    quoted = "'" + str(value).replace("'", "''") + "'"
    return f"{quoted}::DOUBLE" if isinstance(value, numbers.Real) else quoted


def original(error: BaseException) -> str:
    """DuckDB's own text of an error that SQLAlchemy may have wrapped."""
    return str(getattr(error, "orig", None) or error)


def in_one_line(error: BaseException) -> AptError:
    """An error of DuckDB as one of ours: the sentence of the macro that refused, or DuckDB's first paragraph."""
    text = original(error)
    if text.startswith(OUR_WORDS):
        text = text.removeprefix(OUR_WORDS)
    return QuestionError(re.sub(r"\s+", " ", text.split("\n\n")[0]).strip())


def cannot_open(file: Path, error: BaseException) -> LexiconError:
    """Why a file could not be opened, and what to do."""
    text = original(error)
    if "Could not set lock" in text or "Conflicting lock" in text:
        holder = re.search(r"PID (\d+)", text)
        who = f"process {holder[1]}" if holder else "another process"
        return LexiconError(
            f"{file} is in use by {who}; while one process writes, no other can open it: try again later"
        )
    if "different configuration" in text:
        return LexiconError(f"{file} is open in this process already, in another mode; close it there first")
    if "not a valid DuckDB" in text:
        return LexiconError(f"{file} is no lexicon: it is not a DuckDB file")
    if "Permission denied" in text or "read-only" in text.lower():
        return LexiconError(f"{file} cannot be opened: no permission; look at the rights of the file and its folder")
    return LexiconError(f"{file} cannot be opened: {in_one_line(error)}")
