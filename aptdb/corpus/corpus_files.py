"""Formats of corpora, and the files that a command names: by name, folder, or pattern."""

import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePath

from aptdb.core.display import how_many
from aptdb.core.errors import CorpusError, IncompleteDataWarning, warn
from aptdb.core.one_line import escape_bytes
from aptdb.corpus.dialects import DIALECTS
from aptdb.store.counts_folder import is_counts_folder, refuse_elsewhere

TABLES = (".parquet", ".arrow", ".feather")
PACKED = (".gz", ".bz2", ".xz", ".zst")
SENTENCES = tuple(ending for dialect in DIALECTS for ending in dialect.endings)
CORPUS = re.compile(
    rf".*(({'|'.join(map(re.escape, SENTENCES))})({'|'.join(map(re.escape, PACKED))})?"
    rf"|{'|'.join(map(re.escape, TABLES))})",
    re.IGNORECASE | re.DOTALL,
)

UNRELEASED = "not-to-release"  # a folder in repositories of Universal Dependencies: no part of the treebank
IN_UNRELEASED = f"in {UNRELEASED} (name that folder to read it)"
ENDING = re.compile(rf"(?<=.)\.[a-z0-9_-]{{1,12}}({'|'.join(map(re.escape, PACKED))})?$", re.IGNORECASE | re.ASCII)
SHOWN_ENDINGS = 8

File = tuple[str, str | None]  # a file, and the name of its corpus: None for the base name of the file


def corpus_files(arguments: list[str]) -> list[File]:
    """Return the files in order, each with the name of its corpus.

    `-` and a file stand for themselves. A folder stands for all corpora in it and below, sorted and named by their
    relative path; a link to another of them is left out, and what is in a folder not-to-release. A pattern with *, ? or
    [ (if there is no such file) stands for the matching files, named in the same way, without what is in a folder
    not-to-release that it does not name. A folder of counts is one corpus, like a file. If two corpora would have the
    same name, each gets the full name of its file. Raises CorpusError if a folder or pattern matches nothing, or if a
    file is named twice. Warns of files that are left out.
    """
    found = [each for argument in arguments for each in find_corpus_files(argument)]
    refuse_same_file_twice([file for file, _ in found])
    names = Counter(name_corpus_of_file(each) for each in found)
    named = [
        (file, full_name(file) if names[name_corpus_of_file((file, name))] > 1 else name and escape_bytes(name))
        for file, name in found
    ]
    refuse_alike(named)
    return named


def name_corpus_of_file(file: File) -> str:
    """Return the name of the corpus in a file, which is UTF-8 in every lexicon."""
    return escape_bytes(file[1] or Path(file[0]).name)


def full_name(file: str) -> str:
    """Return the full name of a file, as the name of a corpus."""
    return escape_bytes(Path(file).as_posix())


def refuse_alike(files: Iterable[File]) -> None:
    r"""Raise CorpusError if two files have one name, as the byte E9 and the four characters `\xe9` would."""
    seen = set[str]()
    for name in map(name_corpus_of_file, files):
        if name in seen:
            raise CorpusError(f"two files have the name {name}, one of them in bytes that are not UTF-8; rename it")
        seen.add(name)


def find_corpus_files(argument: str) -> list[File]:
    """Return the files that one argument stands for."""
    if not argument:
        raise CorpusError("a file without a name; . is this folder")
    refuse_elsewhere(argument)
    path = Path(argument)
    if argument != "-" and path.is_dir() and not is_counts_folder(path):
        return files_in(path)
    if argument == "-" or path.exists() or not glob.has_magic(argument):
        return [(argument, None)]
    return match_files(argument)


def files_in(folder: Path) -> list[File]:
    """Return the corpora in a folder and below it, except hidden ones and those not to be released."""
    below = sorted(all_below(folder))
    counts = {each for each in below if is_counts_folder(each)}
    # A link to what is not there is a file: whoever reads it says what is missing.
    files = (each for each in below if (each.is_file() or not each.exists()) and counts.isdisjoint(each.parents))
    # Hidden ones first: what git-annex keeps is hidden, and the corpora of its folders are links to it.
    corpora = [folder / name for name in corpora_among([each.relative_to(folder) for each in files], str(folder))]
    shown = each_once([*(each for each in counts if not is_hidden(each.relative_to(folder))), *corpora])
    if not shown:
        raise CorpusError(
            f"{folder}: no corpus in this folder; names of corpora end with {', '.join((*SENTENCES, *TABLES))}, "
            f"of text also with {', '.join(PACKED)} after it"
        )
    return [(str(each), each.relative_to(folder).as_posix()) for each in shown]


def corpora_among(names: Iterable[PurePath], folder: str) -> list[PurePath]:
    """Return the names of corpora among those of the files below a folder. Warn of the others that are not hidden."""
    corpora: list[PurePath] = []
    others, unreleased = Counter[str](), 0
    for name in names:
        is_corpus = CORPUS.fullmatch(name.name) is not None
        if is_hidden(name):
            continue
        if UNRELEASED in name.parts[:-1]:
            unreleased += is_corpus
        elif is_corpus:
            corpora.append(name)
        else:
            others[find_ending(name)] += 1
    kinds = [f"{number:,} {ending}" for ending, number in sorted(others.items(), key=lambda each: (-each[1], each[0]))]
    more = len(kinds) - SHOWN_ENDINGS
    left_out = [*kinds[:SHOWN_ENDINGS], *([how_many(more, "other ending")] if more > 0 else [])]
    if unreleased:
        left_out.append(f"{how_many(unreleased, 'corpus', 'corpora')} {IN_UNRELEASED}")
    if left_out:
        warn(f"{folder}: left out: {', '.join(left_out)}", IncompleteDataWarning)
    return corpora


def find_ending(name: PurePath) -> str:
    """Return the ending of a file's name, with that of its packing."""
    found = ENDING.search(name.name)
    return found[0].lower() if found else "without an ending"


def is_hidden(name: PurePath) -> bool:
    """Return whether a relative path, or a folder in it, is hidden."""
    return any(part.startswith(".") for part in name.parts)


def each_once(places: Iterable[Path]) -> list[Path]:
    """Return places in order, without links to others of them."""
    found: dict[str, Path] = {}
    for each in sorted(places, key=lambda place: (place.is_symlink(), place)):
        found.setdefault(os.path.realpath(each), each)
    return sorted(found.values())


def all_below(folder: Path) -> Iterator[Path]:
    """Yield all that is in a folder and below it, in linked folders too, each read once. Raise CorpusError."""

    def refuse(error: OSError) -> None:
        raise CorpusError(f"{error.filename}: {error.strerror}; what is in this folder cannot be listed") from error

    seen = set[str]()
    for place, folders, files in os.walk(folder, onerror=refuse, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()  # a link to a folder that was read, as one that it is in
            continue
        seen.add(real)
        yield from (Path(place) / name for name in (*folders, *files))


def match_files(pattern: str) -> list[File]:
    """Return the files that match a pattern; ** matches folders at any depth."""
    matched = sorted(glob.glob(pattern, recursive=True))
    files = [Path(each) for each in matched if Path(each).is_file() or is_counts_folder(each)]
    if not files:
        mend = f"; it matches folders: write {pattern}/**/*.conllu for the files in them" if matched else ""
        raise CorpusError(f"no file matches {pattern}{mend}")
    parts = Path(pattern).parts
    fixed = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    folder = Path(*parts[:fixed])
    named = {file: file.relative_to(folder) for file in files}
    if not any(part.strip("*") and fnmatch(UNRELEASED, part) for part in parts):
        named = leave_out_unreleased(named, pattern)
    return [(str(file), name.as_posix()) for file, name in named.items()]


def leave_out_unreleased(named: dict[Path, Path], pattern: str) -> dict[Path, Path]:
    """Return the files that match a pattern, and their names in it, but for those not to be released; warn of these."""
    released = {file: name for file, name in named.items() if UNRELEASED not in name.parts[:-1]}
    if unreleased := len(named) - len(released):
        warn(f"{pattern}: left out: {how_many(unreleased, 'file')} {IN_UNRELEASED}", IncompleteDataWarning)
    if not released:
        raise CorpusError(f"no file matches {pattern}, but in {UNRELEASED}")
    return released


def refuse_absent_files(files: list[File]) -> None:
    """Raise CorpusError if one of several files does not exist, before any is read."""
    for file, _ in files:
        if file != "-" and len(files) > 1 and not Path(file).exists():
            raise CorpusError(f"{file}: no such file")


def refuse_same_file_twice(files: list[str]) -> None:
    """Raise CorpusError if two names stand for the same file."""
    seen: dict[Path | str, str] = {}
    for file in files:
        place = file if file == "-" else os.path.realpath(file)
        if place in seen:
            also = "" if seen[place] == file else f", also as {seen[place]}"
            raise CorpusError(f"{file} is named twice{also}; name it once")
        seen[place] = file
