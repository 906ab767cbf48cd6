"""The file formats of weights; `export` writes them."""

from dataclasses import dataclass

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
