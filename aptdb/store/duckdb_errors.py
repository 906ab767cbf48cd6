"""Translate DuckDB's errors into ours: one line that says what is wrong, where, and what to do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aptdb.core.errors import AptError, InUseError, LexiconError, NoRoomError, QuestionError, UnknownNameError
from aptdb.store.lazy_imports import duckdb
from aptdb.store.limits import Limits

# DuckDB puts this before the text of error() in a macro, which is a message of ours already.
OUR_WORDS = "Invalid Input Error: "
INTERRUPTED = ("Query interrupted", "INTERRUPT Error")
UNKNOWN = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException)

# DuckDB's messages about a file on a disk that is full or fails (also inside JSON), and about a damaged file.
OF_FILE = r'(?:file|to|for) \\*"(?P<file>[^"\\]+)\\*"[^"]*?: '
NO_ROOM = re.compile(OF_FILE + "(?P<why>No space left on device|File too large|Disk quota exceeded)")
FAILING = re.compile(OF_FILE + "(?P<why>Input/output error|Read-only file system|No such device)")
NOT_SYNCED = "fsync failed"
NO_MEMORY = "Out of Memory Error"
TEMP_FULL = re.compile(r"failed to offload data block.*?\((?P<size>[^()/]+)/[^()]*used\)", re.DOTALL)
CHECK_DISK = "check the disk, then try again"
EXPORT = "EXPORT DATABASE 'FOLDER' (FORMAT parquet)"  # what any version of DuckDB makes a folder of a lexicon by
NO_RIGHTS = "no permission; check the permissions of the file and its folder"
OTHER_STORAGE = re.compile(
    r"storage version number (?P<number>\d+), but we can only read storage versions between \d+ and (?P<most>\d+)|"
    r"Unsupported Storage Version '(?P<older>\d+)'"
)
TOO_NEW = f"which is too new for DuckDB {duckdb.__version__} here; update them both: pip install -U aptdb duckdb"
WRITER_AT, WRITER_LENGTH = 52, 32  # where the head of a file names the version of DuckDB that wrote it
NOT_WHOLE = re.compile(r"Corrupt database file|Could not read enough bytes|does not match stored checksum")


@contextmanager
def interrupts_translated() -> Iterator[None]:
    """Turn DuckDB's errors after a signal into KeyboardInterrupt."""
    try:
        yield
    except (RuntimeError, duckdb.Error) as error:
        if str(error).startswith(INTERRUPTED):
            raise KeyboardInterrupt from error
        raise


def in_one_line(
    error: BaseException, file: Path | None = None, limits: Limits | None = None, query: str = ""
) -> AptError:
    """Return the AptError for an error of DuckDB: our macro's message, or DuckDB's first paragraph in our words.

    query: what was asked.
    """
    from aptdb.store.duckdb_messages import in_our_words  # most questions need none of its patterns

    text = str(error)
    if found := no_room(text, limits) or no_file(text, file):
        return found
    kind = UnknownNameError if isinstance(error, UNKNOWN) else QuestionError
    said = in_our_words(first_paragraph(text.removeprefix(OUR_WORDS)), query)
    return said if isinstance(said, QuestionError) else kind(said)


def no_room(text: str, limits: Limits | None) -> AptError | None:
    """Return the error for too little memory or a full disk; None for other errors."""
    if full := TEMP_FULL.search(text):
        return NoRoomError(
            f"temporary files need more than the {full['size']} that are free for them; name a folder on another disk "
            "with --temp FOLDER"
        )
    if NO_MEMORY in text:
        had = f"{limits.shown()} of memory are" if limits else "the memory is"
        twice = max(2, round(2 * (limits.memory if limits else 0) / 10**9))
        return NoRoomError(f"{had} not enough for this; give more, e.g. --memory {twice}GB")
    if full := NO_ROOM.search(text):
        return NoRoomError(f"{full['file']} cannot be written: {full['why']}; free some space, then try again")
    return None


def no_file(text: str, file: Path | None) -> LexiconError | None:
    """Return the error for a file that cannot be read or written; None for other errors."""
    if failing := FAILING.search(text):
        return LexiconError(f"{failing['file']} cannot be read or written: {failing['why']}; {CHECK_DISK}")
    if NOT_SYNCED in text:
        return LexiconError(f"{file or 'the lexicon'} cannot be written: the disk did not take it; {CHECK_DISK}")
    if kept_out := re.search(r'Cannot open file "([^"]+)": Permission denied', text):
        return LexiconError(f"{kept_out[1]} cannot be opened: {NO_RIGHTS}")
    if NOT_WHOLE.search(text):
        named = re.search(r'file "([^"]+)"', text)
        which = named[1] if named else file or "the lexicon, or one that is read with it,"
        return LexiconError(f"{which} is damaged or cut off; use a backup copy: {first_paragraph(text)}")
    return None


def first_paragraph(text: str) -> str:
    """Return the first paragraph of a text."""
    return re.sub(r"\s+", " ", text.split("\n\n", maxsplit=1)[0]).strip()


def cannot_open(file: Path, error: BaseException, *, reads: bool) -> LexiconError:
    """Return why a file could not be opened, and what to do. reads: whether it was opened for reading alone."""
    text = str(error)
    if "Could not set lock" in text or "Conflicting lock" in text:
        holder = re.search(r"(?:held in (?P<program>\S+) )?\(?PID (?P<number>\d+)", text)
        program = f" ({Path(holder['program']).name})" if holder and holder["program"] else ""
        who = f"process {holder['number']}{program}" if holder else "another process"
        why = f"{file} is being written by {who}" if reads else f"{file} is in use by {who}"
        alone = "" if reads else "to write it, no other process may have it open: "
        return InUseError(f"{why}; {alone}try again later, or wait for it: --wait SECONDS")
    if "different configuration" in text:
        return LexiconError(f"{file} is already open in this process in another mode; close it there first")
    if "not a valid DuckDB" in text or "in-memory database" in text:  # what DuckDB makes of a .csv or .parquet
        return LexiconError(f"{file} is not a lexicon: it is not a DuckDB file")
    if "Permission denied" in text or "read-only" in text.lower():
        return LexiconError(f"{file} cannot be opened: {NO_RIGHTS}")
    known = of_other_storage(file, text) or in_one_line(error, file)
    return known if isinstance(known, LexiconError) else LexiconError(f"{file} cannot be opened: {known}")


def of_other_storage(file: Path, text: str) -> LexiconError | None:
    """Return that a file is of a storage version that this DuckDB does not read, with what to do; else None."""
    writer, found = writer_of(file), OTHER_STORAGE.search(text)
    if found is None:
        is_newer = NOT_WHOLE.search(text) and version_in(writer) > version_in(duckdb.__version__)
        wrote = f"{file} was written by DuckDB {writer}"
        return LexiconError(f"{wrote}, {TOO_NEW}; or it is damaged: {first_paragraph(text)}") if is_newer else None
    number = int(found["number"] or found["older"])
    wrote = f"{file} has storage version {number} of DuckDB, written by {writer}"
    if found["most"] and number > int(found["most"]):
        return LexiconError(f"{wrote}, {TOO_NEW}")
    return LexiconError(
        f"{wrote}, which DuckDB {duckdb.__version__} no longer reads; in {writer}, {EXPORT}, "
        "then: aptdb migrate NEW.duckdb --exported FOLDER"
    )


def writer_of(file: Path) -> str:
    """Return the version of DuckDB that wrote a file, as its head names it; 'another version' if it names none."""
    try:
        with file.open("rb") as opened:
            opened.seek(WRITER_AT)
            name = opened.read(WRITER_LENGTH).split(b"\0")[0].decode("ascii")
    except (OSError, UnicodeDecodeError):
        name = ""
    return name.removeprefix("v") if re.fullmatch(r"v[\w.+-]+", name) else "another version"


def version_in(text: str) -> tuple[int, ...]:
    """Return the major and minor number of a version; () if there is none."""
    found = re.match(r"v?(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else ()
