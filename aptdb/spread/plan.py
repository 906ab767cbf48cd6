"""Which files are counted, and the pieces that they are cut into, so that one large file is counted by many tasks."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import PurePosixPath

from aptdb.corpus.compression import PACKINGS, ZSTD_MARK, Readable, unpacked
from aptdb.corpus.files import CORPUS, corpus_files
from aptdb.corpus.formats import DIALECTS, dialect_of
from aptdb.corpus.sources import HEAD_BYTES, is_header, read_fully
from aptdb.corpus.tabular import is_table
from aptdb.errors import CorpusError
from aptdb.spread import sentences
from aptdb.spread.places import everywhere, file_system, is_remote, local_path, opened
from aptdb.spread.sentences import Piece

READ_BYTES = 64 << 10
LONGEST_BEGINNING = 32 << 20  # bytes without any word; a file may begin with comments


def files_of(arguments: Sequence[str]) -> list[str]:
    """The files that are named, also by folders and, on this machine, by patterns. Raises CorpusError."""
    found: list[str] = []
    if not arguments:
        raise CorpusError("no files; name some")
    for each in arguments:
        if str(each) == "-":
            raise CorpusError("standard input cannot be counted by several tasks; name files, or use aptdb add")
    here = [str(local_path(str(each))) for each in arguments if not is_remote(str(each))]
    found += [file for file, _ in corpus_files(here)] if here else []
    for each in arguments:
        if is_remote(str(each)):
            found += remote_files(str(each))
    return found


def remote_files(place: str) -> list[str]:
    """A file of another file system, or the corpora in a folder there and below. Raises CorpusError."""
    from pyarrow import fs

    system, path = file_system(place)
    try:
        info = system.get_file_info(path)
        if info.type == fs.FileType.File:
            return [place]
        below = system.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    except OSError as error:
        raise CorpusError(f"{place}: cannot be read: {error.strerror or error}") from error
    names = sorted(each.path for each in below if each.type == fs.FileType.File)
    found = [name for name in names if CORPUS.fullmatch(PurePosixPath(name).name)]
    if not found:
        raise CorpusError(f"{place}: no corpus there, neither a file nor a folder with some")
    return [f"{place.rstrip('/')}{name[len(path.rstrip('/')) :]}" for name in found]


def pieces_of(files: Sequence[str]) -> list[Piece]:
    """The pieces of files, in order; a packed file is one. Raises CorpusError for what is no CoNLL."""
    return [piece for file in files for piece in pieces_of_file(file)]


def pieces_of_file(file: str) -> list[Piece]:
    """The pieces of one file, by its name everywhere."""
    if not is_remote(file) and local_path(file).exists() and not local_path(file).is_file():
        raise CorpusError(f"{file} is no file that several tasks can read; write it to one, or use aptdb add")
    size, name = sentences.PIECE_BYTES, everywhere(file)
    with closing(opened(file)) as content:
        head = content.read(HEAD_BYTES)
        length = content.seek(0, 2)
        content.seek(0)
        if not head:
            raise CorpusError(f"{file}: is empty; leave it out")
        if is_table(head) or is_header(head):
            raise CorpusError(f"{file} is a table; count reads CoNLL-U, and aptdb add takes tables")
        packed = bool(ZSTD_MARK.match(head) or any(each.mark.match(head) for each in PACKINGS))
        dialect = dialect_at_beginning(unpacked(content, file))
    ends = [length] if packed else [min(begin + size, length) for begin in range(0, length, size)]
    return [Piece(name, number, number * size, end, size, packed, length, dialect) for number, end in enumerate(ends)]


def dialect_at_beginning(text: Readable) -> str:
    """The name of the dialect that the first word of a text is written in; without any, it is the usual one."""
    begin, found = b"", None
    while found is None and len(begin) < LONGEST_BEGINNING and (block := read_fully(text, READ_BYTES)):
        begin += block.replace(b"\r\n", b"\n")
        found = dialect_of(begin)
    return (found or DIALECTS[0]).name


def in_tasks(pieces: Sequence[Piece], tasks: int) -> list[list[Piece]]:
    """The pieces in so many tasks of about the same size, or fewer; neighbours stay together."""
    total, done = sum(each.end - each.begin for each in pieces), 0
    found: list[list[Piece]] = [[] for _ in range(tasks)]
    for piece in pieces:
        found[done * tasks // total].append(piece)
        done += piece.end - piece.begin
    return [each for each in found if each]
