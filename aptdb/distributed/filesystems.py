"""Files and folders by their names: of this machine, or of a file system that many machines share."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import CorpusError
from aptdb.store.sql_text import HALF_PAIR

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

LONGEST_SAID = 200  # characters of what a library says
SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
SAME = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfs": "abfss"}  # names that Hadoop has for the same


def is_remote(place: str) -> bool:
    """Return whether a name is that of another file system, e.g. s3://bucket/corpus."""
    found = SCHEME.match(place)
    return found is not None and found[1].lower() != "file"


def local_path(place: str) -> Path:
    """Return the path of what is on this machine."""
    return Path(place.partition("://")[2]) if SCHEME.match(place) else Path(place)


def url(place: str) -> str:
    """Return how Spark calls a place: without file:// it may look for it elsewhere.

    It takes % and spaces as they are.
    """
    return place if is_remote(place) else f"file://{local_path(place).absolute()}"


def everywhere(place: str) -> str:
    """Return a name that means the same in processes that run in other folders. Raises CorpusError if it is no text."""
    if HALF_PAIR.search(place):
        shown = place.encode(errors="replace").decode()
        raise CorpusError(f"{shown}: the name of this file is no UTF-8; rename it")
    return place if is_remote(place) else str(local_path(place).absolute())


def file_system(place: str) -> "tuple[FileSystem, str]":
    """Return the file system of a place, and how that calls it. Raises CorpusError if nothing here can reach it."""
    from pyarrow import fs

    if not is_remote(place):
        return fs.LocalFileSystem(), str(local_path(place).absolute())
    scheme = str(SCHEME.match(place)[1]).lower()  # type: ignore[index]
    named = SAME.get(scheme, scheme) + place[len(scheme) :]
    try:
        found = fs.FileSystem.from_uri(named)
        return found[0], found[1]
    except (OSError, ValueError, NotImplementedError) as error:
        return by_fsspec(place, scheme, error)


def by_fsspec(place: str, scheme: str, problem: Exception) -> "tuple[FileSystem, str]":
    """Return the same by fsspec, which knows more kinds if it is installed."""
    from pyarrow import fs

    try:
        import fsspec

        found = fsspec.core.url_to_fs(place)
    except (ImportError, ValueError, OSError) as error:
        said = " ".join(str(problem).split())[:LONGEST_SAID]
        need = "Hadoop's library" if scheme in ("hdfs", "viewfs") else f"a package of fsspec for {scheme}://"
        raise CorpusError(f"{place}: cannot be reached; this machine may lack {need} ({said})") from error
    return fs.PyFileSystem(fs.FSSpecHandler(found[0])), found[1]


def opened(place: str) -> Any:
    """Return a file to read from, which can be sought in. Raises CorpusError."""
    try:
        if not is_remote(place):
            return local_path(place).open("rb")
        system, path = file_system(place)
        return system.open_input_file(path)
    except FileNotFoundError as error:
        raise CorpusError(f"{place}: no such file") from error
    except OSError as error:
        raise CorpusError(f"{place}: cannot be read: {error.strerror or error}") from error
