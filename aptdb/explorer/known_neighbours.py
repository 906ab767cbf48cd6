"""The neighbours of frequent lexemes, found beforehand by a thesaurus: to look them up takes no time."""

import subprocess
import threading
from importlib.util import find_spec
from pathlib import Path

from aptdb.explorer.processes import beside
from aptdb.result import Result
from aptdb.store.database import Database, in_memory
from aptdb.store.limits import Limits

TOP = 20  # neighbours of each lexeme
NAME = "neighbours.parquet"
COLUMNS, TYPES = ("lexeme", "similarity"), ("VARCHAR", "DOUBLE")
LOOK_UP = "SELECT neighbour, similarity FROM read_parquet($file) WHERE lexeme = $lexeme"


class KnownNeighbours:
    """A thesaurus in a file, once it is there."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._database: Database | None = None

    def of(self, lexeme: str) -> Result | None:
        """The neighbours of a lexeme, the nearest first; None if they are not known beforehand."""
        if not self._file.exists():
            return None
        with self._lock:
            if self._database is None:
                self._database = in_memory()
            rows = self._database.rows(LOOK_UP, {"file": str(self._file), "lexeme": lexeme})
        return Result(COLUMNS, TYPES, rows) if rows else None

    def close(self) -> None:
        """Close what is open."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None


def can_find() -> bool:
    """Whether a thesaurus takes seconds: where the library that multiplies sparse matrices is installed."""
    return find_spec("sparse_dot_topn") is not None


def finding(copy: Path, weights: str, limits: Limits) -> "subprocess.Popen[str]":
    """A process that finds the neighbours of all frequent lexemes of a copy, by weights that it keeps."""
    file = str(copy.with_name(NAME))
    return beside(["thesaurus", str(copy), "-o", file, "--top", str(TOP), "--weights", weights], limits)
