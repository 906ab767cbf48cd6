"""The file formats of weights and of reduced spaces; `export` writes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import QuestionError
from aptdb.store.file_writing import LINE_ENDS, NOTHING, WHITE_SPACE, refuse_taken_place

LEXEMES, FEATURES = "_staged_row", "_staged_column"  # the tables of names


@dataclass(frozen=True)
class FileFormat:
    """A format: its endings, those of files beside it, what its names cannot contain, and which names must differ.

    unfit: a regular expression for characters that become `_` in names.
    """

    endings: tuple[str, ...]
    beside: tuple[str, ...] = ()
    unfit: str = NOTHING
    apart: tuple[str, ...] = ()
    features: bool = True  # whether features have names, or at least numbers


FORMATS: dict[str, FileFormat] = {
    "parquet": FileFormat((".parquet",), features=False),
    "byblo": FileFormat((".tsv",), unfit=LINE_ENDS, apart=(LEXEMES, FEATURES)),
    "dissect": FileFormat((".sm",), (".rows", ".cols"), WHITE_SPACE, (LEXEMES, FEATURES)),
    "scipy": FileFormat((".npz",), (".rows", ".cols"), LINE_ENDS, (LEXEMES, FEATURES)),
    "word2vec": FileFormat((".vec", ".txt"), unfit=WHITE_SPACE, apart=(LEXEMES,)),
}
SPACE_FORMATS: dict[str, FileFormat] = {  # of the vectors of a reduced space
    "word2vec": FileFormat((".vec", ".txt"), unfit=WHITE_SPACE),
    "word2vec-binary": FileFormat((".bin",), unfit=WHITE_SPACE),
    "npy": FileFormat((".npy",), (".rows", ".projection.npy", ".cols"), LINE_ENDS),
    "safetensors": FileFormat((".safetensors",), (".rows", ".cols"), LINE_ENDS),
}


@dataclass(frozen=True)
class Written:
    """The result of an export: the files, the main one first, and the number of lexemes and weights.

    renamed: the number of names of lexemes and features with a `_` for a character that the format cannot hold.
    """

    files: tuple[Path, ...]
    lexemes: int
    weights: int
    renamed: int


def find_format(file: Path, formats: Mapping[str, FileFormat], what: str) -> str:
    """Return the format for the ending of a file. Raise QuestionError for an unknown ending. what: these formats."""
    for name, format in formats.items():
        if file.suffix.lower() in format.endings:
            return name
    endings = ", ".join(f"{ending} ({name})" for name, format in formats.items() for ending in format.endings)
    raise QuestionError(f"{file} has the ending of no {what}; expected {endings}; or name the format")


def free_places(file: Path, stem: str, format: FileFormat) -> list[Path]:
    """Return the files to write: the main one, and those beside it, which begin with a stem.

    Raises QuestionError if one exists, or its folder does not.
    """
    if str(file) == "-":
        raise QuestionError("an export needs a file; name one")
    files = [file, *(file.with_name(f"{stem}{ending}") for ending in format.beside)]
    for each in files:
        refuse_taken_place(each)
    return files


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write lines, or texts of several lines, and end each line."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in lines)
