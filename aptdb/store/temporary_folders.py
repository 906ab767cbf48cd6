"""Make temporary folders, and delete those that killed processes have left."""

import os
import re
import secrets
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aptdb.core.errors import NoRoomError
from aptdb.store.file_writing import is_running, rights_lacking, where_processes_are

PREFIX = "aptdb-"  # begins the names of temporary folders


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Yield a folder that exists within the block, in this place or in the system's.

    Raises NoRoomError if it cannot be made.
    """
    with room_for_scratch():
        place = place or new_scratch()
        sweep(place.parent)
        place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def room_for_scratch() -> Iterator[None]:
    """Raise NoRoomError if the block fails because a temporary file cannot be written."""
    try:
        yield
    except OSError as error:
        raise NoRoomError(
            f"temporary files cannot be written: {error.strerror or error}; set TMPDIR to a folder with enough space"
        ) from error


def new_scratch() -> Path:
    """Return an unguessable path for a temporary folder, which is not made."""
    with room_for_scratch():
        return Path(tempfile.gettempdir(), unguessable(os.getpid())).absolute()


def unguessable(process: int) -> str:
    """Return the name of a temporary folder of a process."""
    return f"{PREFIX}{where_processes_are()}-{process}-{secrets.token_hex(16)}"


IN_MEMORY = Path(":memory:")


def temp_of(file: Path) -> Path | None:
    """Return where temporary files of a database go, which DuckDB would put into a folder that everybody can read.

    That is the folder FILE.tmp, and .tmp where the user works for a database in memory. None: there they may go.
    """
    if file == IN_MEMORY:
        return Path(tempfile.gettempdir())
    return file.absolute().parent if rights_lacking([file]) & stat.S_IROTH else None


_folders: dict[tuple[Path, Path, int], tuple[Path, int]] = {}  # folders of DuckDB, and how many connections use each
_changing = threading.Lock()


def own_folder(temp: Path, file: Path) -> Path:
    """Return the folder for DuckDB's temporary files, below another; make it for the first connection to a file.

    Statements may read all that is in DuckDB's folder, so that lexicons and processes share none.
    Connections of a process to one file share the folder. Raises NoRoomError.
    """
    key = temp.absolute(), file.absolute(), os.getpid()
    with _changing, room_for_scratch():
        folder, users = _folders.get(key, (None, 0))
        if folder is None:
            sweep(temp)
            folder = key[0] / unguessable(key[2])
            folder.mkdir(mode=0o700)
        _folders[key] = folder, users + 1
    return folder


def leave_folder(folder: Path) -> None:
    """Delete the folder for DuckDB's temporary files when its last connection has been closed."""
    with _changing:
        for key, (each, users) in [*_folders.items()]:
            if each == folder and users > 1:
                _folders[key] = each, users - 1
            elif each == folder:
                del _folders[key]
                shutil.rmtree(folder, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Delete the temporary folders that killed processes of this user, on this machine, have left in a folder."""
    own = re.compile(rf"{PREFIX}{where_processes_are()}-(\d+)-")
    with suppress(OSError):
        for each in folder.glob(f"{PREFIX}*"):
            process = own.match(each.name)
            if process and not is_running(int(process[1])) and each.lstat().st_uid == os.getuid():
                shutil.rmtree(each, ignore_errors=True)


SPILLED = re.compile(r"duckdb_temp_(?:(\d+)_)?.*")  # files of DuckDB; since 2.0 with the process that they are of


def sweep_beside(file: Path) -> None:
    """Delete what killed processes of this user left in DuckDB's own temporary folder, beside a database file.

    Only for a file that is open for writing: then no other process has it, on this machine or another one.
    """
    for folder in {each.with_name(f"{each.name}.tmp") for each in (file, Path(os.path.realpath(file)))}:
        with suppress(OSError):
            if not hasattr(os, "getuid") or folder.is_symlink() or folder.lstat().st_uid != os.getuid():
                continue
            for each in folder.iterdir():
                found = SPILLED.fullmatch(each.name)
                if found and not (found[1] and is_running(int(found[1]))):
                    each.unlink(missing_ok=True)
            folder.rmdir()  # unless something else is in it
