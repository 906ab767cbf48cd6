"""Write files completely or not at all; and tell which process has a file, or has made it."""

import errno
import os
import platform
import re
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from typing import IO, Any

from aptdb.core.errors import AptError, LexiconError, QuestionError
from aptdb.core.one_line import HALF_PAIR
from aptdb.store.interrupts import interrupts_held

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def rights_lacking(files: Iterable[Path]) -> int:
    """Return the rights that the group or others lack to one of these files, of those that exist; pipes have none."""
    found = 0
    for file in files:
        with suppress(OSError, ValueError):  # ValueError for what is no name of a file
            mode = file.stat().st_mode
            found |= OTHERS & ~mode if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else 0
    return found


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


LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")  # endings of what DuckDB makes beside a database file

# What would cut a name in two in a file of text: for tools that read lines or cells, and for tools that read words.
LINE_ENDS = r"[\x{9}-\x{d}\x{1c}-\x{1e}\x{85}\x{2028}\x{2029}]"
WHITE_SPACE = r"[\x{9}-\x{d}\x{1c}-\x{1f}\x{85}\p{Z}]"
NOTHING = r"[^\s\S]"
FIRST_BLOCKS = 3 * 4096  # how a file of DuckDB begins, before anything is in it


def with_log(file: Path) -> list[Path]:
    """Return a database file and the files that DuckDB makes beside it, also for a link."""
    return [*dict.fromkeys([file, Path(os.path.realpath(file))]), *logs_of(file)]


def logs_of(file: Path) -> list[Path]:
    """Return the files that DuckDB makes beside a database file, also for a link, if they are there or not."""
    places = dict.fromkeys([file, Path(os.path.realpath(file))])
    return [each.with_name(f"{each.name}{ending}") for each in places for ending in LOGS]


def refuse_old_log(file: Path) -> None:
    """Raise LexiconError if there is a log of a database, but not that database any more."""
    for log in logs_of(file):
        if os.path.lexists(log):
            raise LexiconError(
                f"{log} has changes of an older {file.name}, which DuckDB would make in the new one; move or "
                "delete it, or name another file"
            )


def refuse_name_of_log(file: Path, kind: type[AptError] = LexiconError) -> None:
    """Raise an error of this kind if DuckDB would take a new file for the log of a database, and delete or replace it.

    That database may also be made later.
    """
    for name in (file.name, target_of(file).name):
        for ending in LOGS:
            if name.endswith(ending):
                of = name.removesuffix(ending) or "a database"
                raise kind(
                    f"{file} cannot end with {ending}: DuckDB would delete it as a log of {of}; name another file"
                )


def leave_no_empty_file(file: Path) -> None:
    """Delete the first blocks of a file that DuckDB could not create."""
    with suppress(OSError):
        if file.stat().st_size <= FIRST_BLOCKS:
            file.unlink()


def name_until(file: Path, state: str) -> Path:
    """Return the temporary name of a file that is being written; no other file or link can have this name."""
    ours = f"{where_processes_are()}-{os.getpid()}-{secrets.token_hex(8)}"
    return file.with_name(f"{file.name}.{ours}.{state}")


def delete_left(file: Path, state: str, *, is_alone: bool) -> None:
    """Delete what killed processes left under temporary names of a file.

    is_alone: whether only this process writes the file now. Otherwise a name says which process did, and on which
    machine: what one that runs has made, or one elsewhere, is not touched.
    """
    here = where_processes_are()
    of_file = re.compile(
        rf"{re.escape(file.name)}\.(?:{here}-(\d+)-|[0-9a-f]{{8}}-\d+-)?[0-9a-f]{{16}}\.{state}(?:\.wal)?"
    )
    with suppress(OSError):
        for each in [*file.parent.iterdir()]:
            found = of_file.fullmatch(each.name)
            if found and (is_alone or (found[1] and not is_running(int(found[1])))):
                delete_if_there(each)


Move = Callable[[Path, Path], None]  # how a file gets its name


def overwrite_file(file: Path, content: bytes) -> None:
    """Write or replace a file, completely or not at all. Raise QuestionError."""
    with written_whole([file], replace_file) as (unfinished,):
        unfinished.write_bytes(content)


@contextmanager
def written_whole(files: Sequence[Path], move: Move | None = None) -> Iterator[list[Path]]:
    """Yield temporary files; they are put in place at the end, as `put_in_place` does, or deleted after an error."""
    for each in files:
        refuse_name_of_log(each, QuestionError)
    for each in dict.fromkeys(target_of(file) for file in files):
        delete_left(each, "unfinished", is_alone=False)
    unfinished = [name_until(target_of(file), "unfinished") for file in files]
    try:
        with failures_named(files[0]):
            yield unfinished
            put_in_place(unfinished, files, move)
    finally:
        for each in unfinished:
            delete_if_there(each)


def put_in_place(
    made: Sequence[Path], files: Sequence[Path], move: Move | None = None, check: Callable[[], None] = lambda: None
) -> None:
    """Give complete files, or folders, their names, the first one last: if it exists, all exist.

    They are on the disk before, and their names afterwards. A link is followed. move: how an older file is replaced;
    without it none is. check: called when all have their names. After an error, those that are new are deleted.
    Raises OSError.
    """
    places = [target_of(each) for each in files]
    done: list[Path] = []
    for each in made:
        flush_all(each)
    with interrupts_held():
        try:
            for old, new in reversed([*zip(made, places, strict=True)]):
                (move or name_new)(old, new)
                done.append(new)
            for folder in {each.parent for each in places}:
                flush(folder)
            check()
        except BaseException:
            for each in [] if move else done:
                delete_if_there(each)
            raise


def target_of(file: Path) -> Path:
    """Return the place where a file is or will be: what it leads to if it is a link, and without `..`."""
    return Path(os.path.realpath(file)) if file.is_symlink() or ".." in file.parts else file


def name_new(made: Path, file: Path) -> None:
    """Rename a file or folder. Raise FileExistsError if there is one of that name, also one that came just now."""
    try:
        os.link(made, file)  # unlike renaming, it never replaces a file
    except FileExistsError:
        raise
    except OSError:  # a folder, or a disk without links
        if os.path.lexists(file):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        made.rename(file)
    else:
        delete_if_there(made)


def replace_file(made: Path, file: Path) -> None:
    """Rename a file, in place of an older one; a folder, a device or a link in a circle is not replaced."""
    if os.path.lexists(file) and not file.is_file():
        raise OSError(errno.EINVAL, "what is there is not a file")
    os.replace(made, file)


FLUSHED_AT_ONCE = 16  # files; the disk then takes many in one go, which is some 20 times as fast as one by one


def flush_all(place: Path) -> None:
    """Wait until a file, or a folder with all that is in it, is on the disk."""
    if below := [*place.rglob("*")]:
        from concurrent.futures import ThreadPoolExecutor  # few commands need it

        with ThreadPoolExecutor(FLUSHED_AT_ONCE) as pool:
            for _ in pool.map(flush, below):  # raises the errors
                pass
    flush(place)


def flush(place: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if (is_folder := place.is_dir()) and os.name == "nt":  # where no folder can be opened
        return
    try:
        handle = os.open(place, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if not is_folder or error.errno not in NOT_FLUSHED:
            raise


# Errors of folders that may not be listed, and on disks that do not flush them.
NOT_FLUSHED = (errno.EACCES, errno.EINVAL, errno.ENOTSUP)


def delete_if_there(place: Path) -> None:
    """Delete a file or a folder, if it is there and that is possible."""
    with suppress(OSError):
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)


@contextmanager
def failures_named(file: Path, kind: type[AptError] = QuestionError) -> Iterator[None]:
    """Raise an error of this kind if a file cannot be written, or put in place, in the block."""
    try:
        yield
    except FileExistsError as error:
        raise kind(f"another process has just created {file}; name another file") from error
    except OSError as error:
        raise kind(f"{file} cannot be written: {error.strerror or error}") from error


def refuse_taken_place(file: Path) -> None:
    """Raise QuestionError if the file exists, or its folder does not, or nothing can be kept under its name."""
    refuse_name_of_log(file, QuestionError)
    if os.path.lexists(target_of(file)):
        raise QuestionError(f"{file} exists already; delete it, or name another file")
    if not (folder := parent_of(file)).is_dir():
        raise QuestionError(f"no folder {folder}; make it first, or name another place")


def parent_of(file: Path) -> Path:
    """Return the folder that a file is or will be in; for a link, that of what it leads to."""
    return (target_of(file) if file.is_symlink() else file).parent


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


def lock(opened: IO[Any]) -> None:
    """Lock an open file until it is closed. Raise OSError if another process has the lock, or the disk has none."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        opened.seek(0)
        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


@cache
def where_processes_are() -> str:
    """Return a digest of the machine and the container: numbers of processes mean something there alone."""
    namespace = ""
    with suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    return sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]


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
