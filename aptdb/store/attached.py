"""Attached DuckDB files, and their names in SQL."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from aptdb.core.errors import LexiconError
from aptdb.store.file_writing import why_not_read, without_dots

LARGEST = 2**62  # bytes
MARK, MARK_AT = b"DUCK", 8  # how a file of DuckDB begins

OneFile = str | Path
Attach = OneFile | Iterable[OneFile] | Mapping[str, OneFile] | None


def name_attached_files(lexicon: Path, wanted: Attach) -> dict[str, Path]:
    """Return the files to attach by their names: given names, else the file name without its ending.

    Raises LexiconError for a file that cannot be attached to this lexicon, and for an invalid name.
    """
    found: dict[str, Path] = {}
    for name, file in named_apart(wanted):
        refuse_attached_file(file, lexicon)
        if not name.isidentifier():
            raise LexiconError(
                f"{name!r} is not a name for {file}; a name has letters, digits and _, and no digit first"
            )
        for other_name, other in found.items():
            if other.samefile(file):
                raise LexiconError(f"{file} is attached twice, as {other_name} and {name}; attach it once")
            if other_name.lower() == name.lower():
                raise LexiconError(f"{other} and {file} have the same name, {name}; {give_name(file)}")
        found[name] = file
    return found


def named_apart(wanted: Attach) -> list[tuple[str, Path]]:
    """Return pairs of file and name, in the given order."""
    if isinstance(wanted, Mapping) and all(isinstance(name, str) for name in wanted):
        pairs = [*wanted.items()]
    else:
        listed = [wanted] if isinstance(wanted, str | Path) else [] if wanted is None else wanted
        if not isinstance(listed, Iterable):
            listed = [listed]
        pairs = [("", file) for file in listed]
    for _, file in pairs:
        if not isinstance(file, str | Path):
            raise LexiconError(f"attach has {file!r:.60}; it takes files, or a dictionary of files by name")
    return [(name or derive_attached_name(Path(file)), without_dots(Path(file))) for name, file in pairs]


def derive_attached_name(file: Path) -> str:
    """Return a name for a file: its name without the ending, with _ for characters that a name cannot have."""
    name = re.sub(r"\W", "_", file.stem)
    return name if name.isidentifier() else f"_{name}"


def refuse_attached_file(file: Path, lexicon: Path) -> None:
    """Raise LexiconError if a file is not a DuckDB file, or is the lexicon itself."""
    if not file.exists():
        raise LexiconError(f"no file {file}; attach a DuckDB file that is there")
    if file.is_dir():
        raise LexiconError(f"{file} is a folder; attach a DuckDB file, e.g. {file / 'other.duckdb'}")
    if why := why_not_read(file, LARGEST):
        raise LexiconError(f"{file} cannot be attached: {why}")
    if lexicon.exists() and lexicon.samefile(file):
        raise LexiconError(f"{file} is the lexicon itself, which needs no attaching; leave it out")
    if "?" in str(file):
        raise LexiconError(f"{file}: DuckDB cannot open a database under a name with a ?; give the file another name")
    try:
        with file.open("rb") as opened:
            begin = opened.read(len(MARK) + MARK_AT)
    except OSError as error:
        raise LexiconError(f"{file} cannot be read: {error.strerror}; check its permissions") from error
    if begin[MARK_AT:] != MARK:
        made = f"CREATE TABLE {derive_attached_name(file)} AS FROM '{file.name}'"
        raise LexiconError(f"{file} is not a DuckDB file; attach one, with its rows in a table: {made}")


def refuse_attached_name(name: str, file: Path, taken: Iterable[str], *, is_word: bool) -> None:
    """Raise LexiconError if a name is taken in the lexicon, or is a keyword of SQL."""
    if is_word:
        raise LexiconError(f"{name} is a keyword of SQL, and not a name for {file}; {give_name(file)}")
    if name.lower() in {each.lower() for each in taken}:
        raise LexiconError(f"{file} cannot be called {name}, a name that the lexicon has already; {give_name(file)}")


def give_name(file: Path) -> str:
    """Return the advice how to attach a file under another name."""
    return f"give it another name: NAME={file}"
