"""Copies of a lexicon, made without opening it, so that whoever writes to it never waits.

DuckDB locks writers out while a reader has a file open. So the copy is made without opening the file. DuckDB writes new
data into free blocks first, and then the header that refers to them. So bytes copied while the header stays the same
are consistent.
"""

import errno
import glob
import os
import secrets
import shutil
import tempfile
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from aptdb.core.errors import AptError, InUseError, LexiconError
from aptdb.store.counts_location import find_counts_folder, follow
from aptdb.store.database import Database
from aptdb.store.file_writing import FIRST_BLOCKS, failures_named, lock, logs_of, target_of
from aptdb.store.lexicon_file import no_lexicon, put_database_in_place, refuse_existing_file, refuse_folder
from aptdb.store.limits import limits
from aptdb.store.session import open_for_reading
from aptdb.store.statements import SqlText, statement

MARK = ".served-"  # in the names of folders with copies
LOCK = "in-use"  # the name of a file beside the copy
OLD = 3600.0  # seconds, after which a copy that nobody has open was left by a server that was killed
TRIES = 20
QUIET = 3.0  # seconds without a change, after which nobody writes a file
PAUSE = 0.25  # seconds between two
AT_ONCE = 1 << 26  # bytes


class StillChangingError(LexiconError):
    """The file was written while it was copied."""


@dataclass(frozen=True)
class Snapshot:
    """A copy of a lexicon. state: that of the original.

    lock: an open file that says, as long as this process lives, that the copy is in use; None where there are no locks.
    """

    file: Path
    state: bytes
    lock: BinaryIO | None = None

    def delete(self) -> None:
        """Delete the copy and DuckDB's files beside it."""
        delete_with(self.lock, self.file.parent)


def read_inode_and_header(file: Path) -> bytes:
    """Return a value that changes with the contents of a file: its inode and its header."""
    with file.open("rb") as opened:
        return os.fstat(opened.fileno()).st_ino.to_bytes(8, "little") + opened.read(FIRST_BLOCKS)


@dataclass(frozen=True)
class Written:
    """When a file was written last, in nanoseconds, and its size."""

    when: int
    size: int

    def is_quiet(self) -> bool:
        """Return whether nothing has written it for some seconds."""
        return time.time() - self.when / 1e9 > QUIET


def time_of_writing(file: Path) -> Written | None:
    """Return when a file was written last; None while it is missing."""
    with suppress(OSError):
        found = file.stat()
        return Written(found.st_mtime_ns, found.st_size)
    return None


def first_snapshot(file: Path, folder: Path | None) -> Snapshot:
    """Return a copy of a lexicon; during an addition, of its state before. Raise LexiconError.

    folder: the folder of copies; None: beside the lexicon, or if that is impossible, in the system's temporary folder.
    """
    refuse_folder(file)
    if not file.exists():
        raise no_lexicon(file)
    with suppress(InUseError):
        follow(file, find_counts_folder(file))  # a copy could not tell where they are as seen from the lexicon
    place = find_folder_of_copies(file, folder)
    take_away_old(file, place)
    if file.with_name(f"{file.name}.wal").exists():  # of somebody who adds, or of a program that broke off
        with suppress(InUseError), ExitStack() as held:
            if opened := open_for_reading(file, limits(), {}, create=False, confined=False):
                held.enter_context(closing(opened))
            return copy_lexicon(file, place, with_log=True)
    return copied_in_time(file, place)


def backup(file: str | Path, copy: str | Path) -> None:
    """Write a copy of a lexicon to a file, also while others ask it or add to it: then as it was before the addition.

    The copy is read whole before it takes the place of an older one, in one step: who has that open keeps it until it
    is closed. Raises LexiconError if the lexicon is damaged, or if the file is something else than a lexicon.

    >>> aptdb.backup("english.duckdb", "copy.duckdb")
    """
    file, copy = Path(file), Path(copy)
    refuse_folder(copy)
    with ExitStack() as held:
        older = None
        if copy.exists():
            older = held.enter_context(older_copy(file, copy))
        else:
            refuse_existing_file(copy)
        made = first_snapshot(file, target_of(copy).absolute().parent)
        held.callback(made.delete)
        with failures_named(copy, LexiconError):
            take_log_in(made.file)
            read_tables(made.file, file)
            made.file.chmod(file.stat().st_mode & 0o777)
        put_database_in_place(made.file, copy, older)


def older_copy(file: Path, copy: Path) -> closing[Database]:
    """Return the open database of a copy that will be replaced, with nothing left in its log. Raise LexiconError."""
    if file.exists() and copy.samefile(file):
        raise LexiconError(f"{copy} is the lexicon itself; name another file for its copy")
    refuse_no_lexicon(copy)
    take_log_in(copy)
    return closing(Database(copy, read_only=True))


def take_log_in(file: Path) -> None:
    """Write into a database file what is in its log, if there is one. Raise LexiconError."""
    if any(each.exists() for each in logs_of(file)):
        with closing(Database(file, read_only=False)) as database:
            database.run("CHECKPOINT")


def refuse_no_lexicon(file: Path) -> None:
    """Raise LexiconError for a file that is no lexicon of any version, or that is being written."""
    with closing(Database(file, read_only=True)) as database:
        if not database.value(statement("store/is_lexicon")):
            raise LexiconError(f"{file} is not a lexicon; name another file")


def read_tables(copy: Path, file: Path) -> None:
    """Read all tables in the copy of a lexicon of any version. Raise LexiconError, which names the lexicon."""
    try:
        refuse_no_lexicon(copy)
        with closing(Database(copy, read_only=True)) as database:
            for (table,) in database.rows(statement("store/all_tables")):
                database.rows(statement("store/whole_table", table=SqlText(table)))
    except AptError as error:
        raise LexiconError(str(error).replace(str(copy), str(file))) from error


def copied_in_time(file: Path, place: Path) -> Snapshot:
    """Return a consistent copy, after some tries. Raise StillChangingError."""
    for _ in range(TRIES):
        with suppress(StillChangingError):
            return copy_lexicon(file, place)
        time.sleep(PAUSE)
    raise StillChangingError(f"{file} changed while it was copied; try again later")


def copy_lexicon(file: Path, place: Path, *, with_log: bool = False) -> Snapshot:
    """Return a copy of a lexicon, in a folder of its own.

    Raises StillChangingError if it is inconsistent, and LexiconError.
    """
    try:
        folder = place / f"{file.name}{MARK}{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise LexiconError(f"{place} cannot have a copy of the lexicon: {error.strerror}") from error
    copy = folder / file.name
    held = None
    try:
        held = locked(folder)
        state = read_inode_and_header(file)
        copy_bytes(file, copy)
        log = file.with_name(f"{file.name}.wal")
        if with_log and log.exists():
            copy_bytes(log, copy.with_name(f"{copy.name}.wal"))
        if read_inode_and_header(file) != state:
            raise StillChangingError(f"{file} is being written")
    except BaseException as error:
        delete_with(held, folder)
        if isinstance(error, OSError):
            raise LexiconError(f"{file} cannot be copied to {place}: {error.strerror}") from error
        raise
    return Snapshot(copy, state, lock=held)


def delete_with(held: BinaryIO | None, folder: Path) -> None:
    """Delete the folder of a copy, then let go of its lock; Windows deletes no locked file, so the rest comes then."""
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        held.close()
        shutil.rmtree(folder, ignore_errors=True)


def locked(folder: Path) -> BinaryIO | None:
    """Return a file in the folder of a copy that is locked until it is closed; None if another process has locked it.

    Also None where the disk has no such locks.
    """
    opened = (folder / LOCK).open("ab")
    try:
        lock(opened)
    except OSError as error:
        opened.close()
        if error.errno not in (errno.EAGAIN, errno.EACCES):  # a file system without locks
            (folder / LOCK).unlink(missing_ok=True)
        return None
    return opened


def copy_bytes(source: Path, copy: Path) -> None:
    """Copy a file; where the system can, the two share their blocks."""
    with source.open("rb") as read, copy.open("wb") as written:
        if hasattr(os, "copy_file_range"):
            with suppress(OSError):
                while os.copy_file_range(read.fileno(), written.fileno(), AT_ONCE):
                    pass
                return
            read.seek(0)
            written.seek(0)
        shutil.copyfileobj(read, written, 1 << 20)


def find_folder_of_copies(file: Path, folder: Path | None) -> Path:
    """Return the folder of copies of a lexicon."""
    if folder is not None:
        return folder
    beside = file.absolute().parent
    return beside if os.access(beside, os.W_OK) else Path(tempfile.gettempdir())


def take_away_old(file: Path, place: Path) -> None:
    """Delete the copies that killed servers left."""
    for folder in place.glob(f"{glob.escape(file.name)}{MARK}*"):
        copy = folder / file.name
        with suppress(OSError, AptError):
            if (folder / LOCK).exists():
                if (held := locked(folder)) is not None:  # whoever made the copy has ended
                    delete_with(held, folder)
                continue
            if time.time() - max(copy.stat().st_mtime, folder.stat().st_mtime) < OLD:
                continue
            Database(copy, read_only=False).close()  # nobody else has it open
            shutil.rmtree(folder, ignore_errors=True)
