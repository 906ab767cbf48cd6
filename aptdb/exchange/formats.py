"""The list of formats in which weights can be written; `export` writes them."""

from dataclasses import dataclass

LEXEMES, FEATURES = "_staged_row", "_staged_column"  # the tables of names
# What would cut a name in two: for tools that read lines or tab-separated cells, and for tools that read words.
LINE_ENDS = r"[\x{9}-\x{d}\x{1c}-\x{1e}\x{85}\x{2028}\x{2029}]"
WHITE_SPACE = r"[\x{9}-\x{d}\x{1c}-\x{1f}\x{85}\p{Z}]"


@dataclass(frozen=True)
class FileFormat:
    """A format: its endings, those of files beside it, what its names cannot contain, and which names must differ."""

    endings: tuple[str, ...]
    beside: tuple[str, ...] = ()
    unfit: str = r"[^\s\S]"
    apart: tuple[str, ...] = ()
    features: bool = True  # whether features have names, or at least numbers


FORMATS: dict[str, FileFormat] = {
    "parquet": FileFormat((".parquet",), features=False),
    "byblo": FileFormat((".tsv",), unfit=LINE_ENDS, apart=(LEXEMES, FEATURES)),
    "dissect": FileFormat((".sm",), (".rows", ".cols"), WHITE_SPACE, (LEXEMES, FEATURES)),
    "scipy": FileFormat((".npz",), (".rows", ".cols"), LINE_ENDS, (LEXEMES, FEATURES)),
    "word2vec": FileFormat((".vec", ".txt"), unfit=WHITE_SPACE, apart=(LEXEMES,)),
}
