"""The answer to a question: rows with named columns, which can be converted for other tools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from aptdb.core.display import html_answer, text_table
from aptdb.core.errors import NoSuchRowError, QuestionError
from aptdb.core.paper_tables import latex_table, markdown_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import scipy.sparse as sp

NUMPY_TYPES = {"DOUBLE": "float64", "FLOAT": "float32", "BIGINT": "int64", "INTEGER": "int32", "BOOLEAN": "bool"}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The rows of an answer, in order.

    columns: their names, as in SQL. types: their DuckDB types. rows: one tuple for each row.
    Iterating gives the rows as dictionaries; len() is their number; r[0] is the first row, r[:5] a Result of the first
    five. Two results with the same columns, types and rows are equal. A terminal and a notebook show the first ten
    rows, and say how many more there are.

    >>> lexicon.neighbours("shoot/NOUN", top=3).column("lexeme")
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    @overload
    def __getitem__(self, place: SupportsIndex) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> "Result": ...

    def __getitem__(self, place: SupportsIndex | slice) -> "dict[str, Any] | Result":
        """Return a row as a dictionary, by its number (from the end if it is negative), or the rows of a slice.

        Raises NoSuchRowError, and QuestionError for what is no number.
        """
        if isinstance(place, slice):
            return Result(self.columns, self.types, self.rows[place])
        try:
            row = self.rows[index(place)]
        except TypeError:
            named = f"; a column is .column({place!r})" if str(place) in self.columns else ""
            raise QuestionError(f"{place!r:.60} is not a row number{named}") from None
        except IndexError:
            raise NoSuchRowError(f"no row {index(place)}; there are {len(self):,}, numbered from 0") from None
        return dict(zip(self.columns, row, strict=True))

    def __repr__(self) -> str:
        return text_table(self.columns, self.types, self.rows)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return html_answer(self.columns, self.types, self.rows)

    def to_markdown(self) -> str:
        """Return all rows as a pipe table in Markdown; numbers are rounded as on a terminal, and text is whole."""
        return markdown_table(self.columns, self.types, self.rows)

    def to_latex(self) -> str:
        """Return all rows as a tabular in LaTeX with the rules of booktabs; numbers are rounded as on a terminal."""
        return latex_table(self.columns, self.types, self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self.columns, self.types, self.rows) == (other.columns, other.types, other.rows)

    def __hash__(self) -> int:
        return hash((self.columns, self.types))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> list[Any]:
        """Return the values of one column, in the order of the rows.

        Raises QuestionError if there is no such column.
        """
        if name not in self.columns:
            raise QuestionError(f"no column {name}; the columns are {', '.join(self.columns)}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def without(self, name: str, value: Any) -> "Result":
        """Return the rows without this column, if all rows have the same value in it."""
        return self if any(each != value for each in self.column(name)) else self.but(name)

    def but(self, *names: str) -> "Result":
        """Return the rows without these columns."""
        kept = [place for place, name in enumerate(self.columns) if name not in names]

        def left(items: "tuple[Any, ...]") -> "tuple[Any, ...]":
            return tuple(items[place] for place in kept)

        return Result(left(self.columns), left(self.types), [left(row) for row in self.rows])

    def numpy(self) -> "dict[str, np.ndarray[Any, Any]]":
        """Return each column as an array of shape (rows,): numbers (NULL is nan), everything else as objects."""
        import numpy as np

        def array(name: str, kind: str) -> "np.ndarray[Any, Any]":
            values = self.column(name)
            wanted = NUMPY_TYPES.get(kind, "object")
            if None in values and wanted != "object":
                wanted, values = "float64", [np.nan if value is None else value for value in values]
            return np.array(values, dtype=wanted)

        return {name: array(name, kind) for name, kind in zip(self.columns, self.types, strict=True)}

    def sparse(
        self, row: str = "path", column: str = "context", value: str = "weight"
    ) -> "tuple[sp.csr_array, list[str], list[str]]":
        """Return an APT as a scipy CSR matrix of shape (paths, contexts), with the names of its rows and columns.

        For other answers, name other columns. Rows and columns are sorted by name.
        """
        from scipy.sparse import csr_array

        rows, columns = sorted(set(self.column(row))), sorted(set(self.column(column)))
        at_row = {name: number for number, name in enumerate(rows)}
        at_column = {name: number for number, name in enumerate(columns)}
        places = ([at_row[name] for name in self.column(row)], [at_column[name] for name in self.column(column)])
        return csr_array((self.column(value), places), shape=(len(rows), len(columns))), rows, columns

    def arrow(self) -> "pa.Table":
        """Return a pyarrow Table. Raises QuestionError if pyarrow is not installed."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise QuestionError("arrow() needs pyarrow; install it with: pip install 'aptdb[arrow]'") from error
        kinds = {"VARCHAR": pa.string(), "DOUBLE": pa.float64(), "BIGINT": pa.int64(), "BOOLEAN": pa.bool_()}
        arrays = [
            pa.array(self.column(name), type=kinds.get(kind))
            for name, kind in zip(self.columns, self.types, strict=True)
        ]
        return pa.Table.from_arrays(arrays, names=list(self.columns))

    def df(self) -> "pd.DataFrame":
        """Return a pandas DataFrame. Raises QuestionError if pandas is not installed."""
        try:
            import pandas as pd
        except ImportError as error:
            raise QuestionError("df() needs pandas; install it with: pip install 'aptdb[pandas]'") from error
        return pd.DataFrame(self.numpy(), columns=list(self.columns))

    def pl(self) -> "pl.DataFrame":
        """Return a polars DataFrame; NULL is null. Raises QuestionError if polars is not installed."""
        try:
            import polars as pl
        except ImportError as error:
            raise QuestionError("pl() needs polars; install it with: pip install 'aptdb[polars]'") from error
        kinds = {"VARCHAR": pl.String, "DOUBLE": pl.Float64, "BIGINT": pl.Int64, "BOOLEAN": pl.Boolean}
        return pl.DataFrame(
            [
                pl.Series(name, self.column(name), dtype=kinds.get(kind))
                for name, kind in zip(self.columns, self.types, strict=True)
            ]
        )
