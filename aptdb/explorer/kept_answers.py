"""What the server keeps beside its copy of a lexicon: weights of ppmi, and the neighbours of all frequent lexemes."""

import threading
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from aptdb.core.result import Result
from aptdb.lexicon import Lexicon
from aptdb.store.database import in_memory

TOP = 20  # neighbours of each lexeme
NAME = "neighbours.parquet"
WEIGHTS = "explorer_ppmi"
COLUMNS, TYPES = ("lexeme", "similarity"), ("VARCHAR", "DOUBLE")
LOOK_UP = "SELECT lexeme, neighbour, similarity FROM read_parquet($file) WHERE list_contains($lexemes, lexeme)"


class KnownNeighbours:
    """A thesaurus in a file, once it is written."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock, self._database = file, threading.Lock(), in_memory()

    def of(self, lexeme: str) -> Result | None:
        """Return the neighbours of a lexeme, the nearest first; None if they are not computed yet."""
        return self.of_each([lexeme]).get(lexeme) if self._file.exists() else None

    def of_each(self, lexemes: Sequence[str]) -> dict[str, Result]:
        """Return the neighbours of each of several lexemes that has any."""
        with self._lock:
            found = self._database.rows(LOOK_UP, {"file": str(self._file), "lexemes": [*lexemes]})
        rows: dict[str, list[tuple[object, ...]]] = {}
        for lexeme, *near in found:
            rows.setdefault(str(lexeme), []).append(tuple(near))
        return {lexeme: Result(COLUMNS, TYPES, each) for lexeme, each in rows.items()}

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()


def can_find() -> bool:
    """Return whether the library for sparse products is installed; with it a thesaurus takes only seconds."""
    return find_spec("sparse_dot_topn") is not None


def kept_weights(file: Path) -> str | None:
    """Return the name of kept weights of ppmi that do not change answers; None without any."""
    with closing(Lexicon.open(file)) as lexicon:
        for row in lexicon.stored.weightings():
            if (row["scheme"], row["parameters"], row["phi"], row["state"]) == ("ppmi", "", "constant", "kept"):
                return str(row["name"])
    return None
