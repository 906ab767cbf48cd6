"""The file formats of weights; `export` writes them."""

from dataclasses import dataclass
from pathlib import Path

from aptdb.store.file_writing import LINE_ENDS, NOTHING, WHITE_SPACE

LEXEMES, FEATURES = "_staged_row", "_staged_column"  # the tables of names


@dataclass(frozen=True)
class FileFormat:
    """A format: its endings, those of files beside it, what its names cannot contain, and which names must differ."""

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
