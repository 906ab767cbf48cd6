"""Write files completely or not at all, and make temporary folders."""

import os
import platform
import re
import secrets
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, reduce
from hashlib import sha256
from operator import or_
from pathlib import Path

from aptdb.core.errors import LexiconError, NoRoomError, QuestionError
from aptdb.core.one_line import HALF_PAIR
from aptdb.store.interrupts import interrupts_held

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


@cache
def where_processes_are() -> str:
    """Return a digest of the machine and the container: numbers of processes mean something there alone."""
    namespace = ""
    with suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    return sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]


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


def is_running(process: int) -> bool:
    """Return whether a process exists, or may exist."""
    if not hasattr(os, "getuid"):  # Windows, where this would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


OTHERS = stat.S_IRWXG | stat.S_IRWXO


def rights_lacking(files: Iterable[Path]) -> int:
    """Return the rights that the group or others lack to one of these files, of those that exist; pipes have none."""
    found = 0
    for file in files:
        with suppress(OSError, ValueError):  # ValueError for what is no name of a file
            mode = file.stat().st_mode
            found |= OTHERS & ~mode if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else 0
    return found


def is_private(file: Path) -> bool:
    """Return whether others may not read a file."""
    return bool(rights_lacking([file]) & stat.S_IROTH)


_masking = threading.Lock()
_masks: list[int] = []  # the mask before all blocks of `as_private_as`, then what each of them takes away


@contextmanager
def as_private_as(*files: Path) -> Iterator[None]:
    """Make files within the block that give the group and others no more rights than each of these files.

    The mask belongs to the whole process: blocks of other threads add to it, and it is as before when all have ended.
    """
    lacking = rights_lacking(files) & ~0o111
    with _masking:
        _masks[:] = _masks or [os.umask(OTHERS)]
        _masks.append(lacking)
        os.umask(reduce(or_, _masks))
    try:
        yield
    finally:
        with _masking:
            _masks.pop(_masks.index(lacking, 1))
            os.umask(reduce(or_, _masks))
            if len(_masks) == 1:
                _masks.clear()


def mask() -> int:
    """Return the rights that files made now lack."""
    with _masking:
        found = os.umask(OTHERS)
        os.umask(found)
    return found


ENDINGS = ("", ".wal", ".wal.checkpoint", ".wal.recovery")  # of a database file and those beside it

# What would cut a name in two in a file of text: for tools that read lines or cells, and for tools that read words.
LINE_ENDS = r"[\x{9}-\x{d}\x{1c}-\x{1e}\x{85}\x{2028}\x{2029}]"
WHITE_SPACE = r"[\x{9}-\x{d}\x{1c}-\x{1f}\x{85}\p{Z}]"
NOTHING = r"[^\s\S]"
FIRST_BLOCKS = 3 * 4096  # how a file of DuckDB begins, before anything is in it


def with_log(file: Path) -> list[Path]:
    """Return a database file and the files that DuckDB makes beside it, also for a link."""
    places = dict.fromkeys([file, Path(os.path.realpath(file))])
    return [each.with_name(f"{each.name}{ending}") for each in places for ending in ENDINGS]


def leave_no_empty_file(file: Path) -> None:
    """Delete the first blocks of a file that DuckDB could not create."""
    with suppress(OSError):
        if file.stat().st_size <= FIRST_BLOCKS:
            file.unlink()


def name_until(file: Path, state: str) -> Path:
    """Return the temporary name of a file that is being written; no other file or link can have this name."""
    return file.with_name(f"{file.name}.{secrets.token_hex(8)}.{state}")


def delete_left(file: Path, state: str) -> None:
    """Delete what killed processes left under temporary names of a file, which this process alone writes now."""
    of_file = re.compile(rf"{re.escape(file.name)}\.[0-9a-f]{{16}}\.{state}(\.wal)?")
    with suppress(OSError):
        for each in [each for each in file.parent.iterdir() if of_file.fullmatch(each.name)]:
            each.unlink(missing_ok=True)


def overwrite(file: Path, content: bytes) -> None:
    """Write or replace a file under a temporary name first. Raise QuestionError."""
    unfinished = name_until(file, "unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise QuestionError(f"{file} cannot be written: {error.strerror}") from error


@contextmanager
def written_whole(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield temporary files; they are renamed at the end, or deleted after an error."""
    unfinished = [name_until(file, "unfinished") for file in files]
    try:
        yield unfinished
        with interrupts_held():
            give_names(unfinished, files)
    except OSError as error:
        raise QuestionError(f"{files[0]} cannot be written: {error.strerror or error}") from error
    finally:
        for each in unfinished:
            each.unlink(missing_ok=True)


def give_names(unfinished: Sequence[Path], files: Sequence[Path]) -> None:
    """Rename all files, the first one last: if it exists, all exist."""
    done: list[Path] = []
    try:
        for old, new in reversed([*zip(unfinished, files, strict=True)]):
            refuse_taken_place(new)
            old.rename(new)
            done.append(new)
    except BaseException:
        for each in done:
            each.unlink(missing_ok=True)
        raise


def refuse_taken_place(file: Path) -> None:
    """Raise QuestionError if the file exists, or its folder does not."""
    if file.exists():
        raise QuestionError(f"{file} exists already; delete it, or name another file")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")


def why_not_read(file: Path, most: int) -> str | None:
    """Return why a file is not read: a device or pipe, or more bytes than `most`; None if it can be, or is a folder."""
    with suppress(OSError):
        found = file.stat()
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            return "it is not a regular file"
        if found.st_size > most:
            return f"it has {found.st_size // 10**6:,} MB, and at most {most // 10**6:,} are read"
    return None


TICK, SECOND = 0.02, 2.1  # seconds within which two changes may have one time, also where times are whole seconds


def before_opening(file: Path, until: float) -> tuple[int, ...] | None:
    """Return what shows whether a file was replaced or written since; None if it is not there.

    Waits until the next change cannot have the same time as the last one. until: the time (of time.monotonic()) after
    which a file that is changed again and again is not waited for.
    """
    while True:
        try:
            found = file.stat()
        except OSError:
            return None
        age = time.time() - found.st_mtime
        left = (TICK if found.st_mtime_ns % 10**9 else SECOND) - age
        if age < 0 or left <= 0 or time.monotonic() >= until:  # a time to come says nothing
            return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
        time.sleep(left)


def is_as_before(file: Path, before: tuple[int, ...] | None) -> bool:
    """Return whether nobody else has written a database file since, which is open and locked now."""
    try:
        found = file.stat()
    except OSError:
        return before is None
    if before is None:
        return found.st_size <= FIRST_BLOCKS
    return before == (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def working_folder() -> Path | None:
    """Return the working directory; None if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


def without_dots(file: Path) -> Path:
    """Return a file without `..` in its path: with that DuckDB strikes off the folder before it, even a link."""
    return Path(os.path.realpath(file.parent), file.name) if ".." in file.parts else file


def refuse_no_utf8(file: Path) -> None:
    """Raise LexiconError for a path that is not UTF-8, as all of DuckDB's are."""
    if HALF_PAIR.search(str(file)):
        raise LexiconError(f"{file}: the name of this file, or of a folder it is in, is not UTF-8; rename it")


def as_local(file: Path) -> str:
    """Return a file as a local path for DuckDB: 'md:x.duckdb' alone would be a database elsewhere."""
    is_plain = file.is_absolute() or ":" not in str(file) or str(file) == ":memory:"
    return str(file) if is_plain else f"./{file}"
