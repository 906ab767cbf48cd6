"""Write the vectors of a reduced space, and its projection, to files for numpy, faiss, gensim and others."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.questions.execute import warn_of_stale_space
from aptdb.questions.export_formats import SPACE_FORMATS, FileFormat, Written
from aptdb.store.database import Database
from aptdb.store.derived import SPACE
from aptdb.store.file_writing import as_private_as, refuse_taken_place, written_whole
from aptdb.store.session import Session
from aptdb.store.statements import statement

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

TOLD = ("dimensions", "shift", "power", "max_order", "min_frequency", "min_feature_count", "pos", "seed")


def export_space(
    session: Session, file: Path, space: str, format: str | None = None, others: Mapping[str, Any] | None = None
) -> Written:
    """Write the vectors of a space; return the written files.

    format: word2vec or word2vec-binary, the vectors alone; npy or safetensors, the vectors with the projection, and the
    names of their rows in files beside, .rows of lexemes and .cols of features. By default the ending decides: .vec or
    .txt, .bin, .npy, .safetensors. The most frequent lexemes come first. Raises QuestionError.
    """
    for name, value in (others or {}).items():
        if value is not None:
            raise QuestionError(f"the space {space} takes no {name}; its vectors are written as they are")
    name = format or find_space_format(file)
    if name not in SPACE_FORMATS:
        raise QuestionError(f"format is {str(name)!r}; a space is written as {', '.join(SPACE_FORMATS)}")
    chosen = SPACE_FORMATS[name]
    if str(file) == "-":
        raise QuestionError("an export needs a file; name one")
    files = [file, *(file.with_name(f"{file.stem}{ending}") for ending in chosen.beside)]
    for each in files:
        refuse_taken_place(each)
    database = session.reading()
    found = SPACE.get(database, space)
    own = found.id
    warn_of_stale_space(session, found.name)
    with as_private_as(session.file), written_whole(files) as unfinished:
        lexemes, vectors, renamed = named_rows(database, "questions/spaces/vectors", own, chosen)
        if not chosen.beside:
            write_word2vec(unfinished[0], lexemes, vectors, is_binary=name == "word2vec-binary")
            return Written(tuple(files), len(lexemes), int(vectors.size), renamed)
        features, projection, of_features = named_rows(database, "questions/spaces/projections", own, chosen)
        places = dict(zip(("", *chosen.beside), unfinished, strict=True))
        if name == "npy":
            write_npy(places[""], vectors)
            write_npy(places[".projection.npy"], projection)
        else:
            arrays = {"vectors": vectors, "projection": projection}
            write_safetensors(places[""], arrays, {"space": space, **{name: found.made.get(name, "") for name in TOLD}})
        write_names(places[".rows"], lexemes)
        write_names(places[".cols"], features)
    return Written(tuple(files), len(lexemes), int(vectors.size), renamed + of_features)


def find_space_format(file: Path) -> str:
    """Return the format for the ending of a file. Raise QuestionError for an unknown ending."""
    for name, format in SPACE_FORMATS.items():
        if file.suffix.lower() in format.endings:
            return name
    endings = ", ".join(f"{ending} ({name})" for name, format in SPACE_FORMATS.items() for ending in format.endings)
    raise QuestionError(f"no format of spaces has the ending of {file}; use {endings}; or name a format with --as")


def named_rows(database: Database, what: str, own: int, format: FileFormat) -> "tuple[list[str], Array, int]":
    """Return the names of the vectors or projections of a space, their numbers, and how many names are changed.

    what: the statement that reads them. Raises QuestionError if two have the same name.
    """
    import numpy as np

    names: list[str] = []
    values: list[Array] = []
    renamed = 0
    query = statement(what, id=own, unfit=format.unfit)
    for name, is_renamed, scale, numbers in database.rows(query):
        names.append(name)
        values.append(np.asarray(numbers, dtype=np.float32) * np.float32(scale))
        renamed += is_renamed
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise QuestionError(f"two of the names would both be written {twice!r}; choose another format, e.g. npy")
    return names, np.stack(values) if values else np.empty((0, 0), np.float32), renamed


def write_word2vec(file: Path, names: Sequence[str], vectors: "Array", *, is_binary: bool) -> None:
    """Write vectors as word2vec does: their number and dimensions, then each name with its numbers."""
    with file.open("wb") as out:
        out.write(f"{vectors.shape[0]} {vectors.shape[1]}\n".encode())
        for name, vector in zip(names, vectors, strict=True):
            if is_binary:
                out.write(f"{name} ".encode() + vector.astype("<f4").tobytes() + b"\n")
            else:
                out.write(f"{name} {' '.join(map(str, vector))}\n".encode())


def write_npy(file: Path, array: "Array") -> None:
    """Write an array for numpy.load."""
    import numpy as np

    with file.open("wb") as out:
        np.save(out, array, allow_pickle=False)


def write_safetensors(file: Path, arrays: "Mapping[str, Array]", description: Mapping[str, str]) -> None:
    """Write arrays in the format of safetensors: the length of a header, the header as JSON, and the numbers."""
    header: dict[str, Any] = {"__metadata__": dict(description)}
    begin = 0
    for name, array in arrays.items():
        end = begin + array.size * 4
        header[name] = {"dtype": "F32", "shape": [*array.shape], "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with file.open("wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            out.write(array.astype("<f4").tobytes())


def write_names(file: Path, names: Sequence[str]) -> None:
    """Write names, one on each line."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{name}\n" for name in names)
