"""Write all weights to a file for other tools: Parquet, Byblo, DISSECT, scipy or word2vec; or vectors of a space.

The vectors of a reduced space, and its projection, are for numpy, faiss, gensim and others.
"""

import glob
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import refuse_other_parameters
from aptdb.core.schemes import DEFAULT_WEIGHTS, Exported
from aptdb.questions import weightings
from aptdb.questions.execute import warn_of_stale_space, warn_of_stale_weights
from aptdb.questions.export_formats import (
    FEATURES,
    FORMATS,
    LEXEMES,
    SPACE_FORMATS,
    FileFormat,
    Written,
    find_format,
    free_places,
    write_lines,
)
from aptdb.questions.matrices import Follow, followed
from aptdb.store.database import Database
from aptdb.store.derived import SPACE
from aptdb.store.file_writing import as_private_as, target_of, written_whole
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement
from aptdb.store.temporary_folders import scratch_folder

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array

    Array = np.ndarray[Any, Any]

PART = 1_000_000  # weights in one part; more if a single lexeme has more
NAMES = 100_000  # names that are read at once


@dataclass(frozen=True)
class Part:
    """Consecutive lexemes: the positions of the first and the last, and the number of their weights."""

    first: int
    last: int
    weights: int


@dataclass(frozen=True)
class Staged:
    """Weights in temporary tables.

    lexemes: the number of lexemes with weights. features: the number of features, 0 if they have no names. renamed: the
    number of names that differ from their text.
    """

    database: Database
    parts: Sequence[Part]
    lexemes: int
    features: int
    renamed: int

    @property
    def weights(self) -> int:
        """Return the number of all weights."""
        return sum(part.weights for part in self.parts)

    def rows(self, name: str, part: Part) -> SqlText:
        """Return the statement `questions/export/NAME` for one part."""
        return fill_export_statement(name, first=part.first, last=part.last)

    def names(self, names: str) -> Iterator[str]:
        """Yield the names of LEXEMES or FEATURES by number, in texts of many lines."""
        for first in range(0, self.lexemes if names == LEXEMES else self.features, NAMES):
            yield str(
                self.database.value(fill_export_statement("names", names=SqlText(names), first=first, size=NAMES))
            )

    def matrix(self) -> "csr_array":
        """Return the weights as a scipy CSR matrix of shape (lexemes, features), in order of their numbers."""
        from scipy.sparse import csr_array

        found = self.database.arrays(fill_export_statement("matrix"))
        places = (found["lexeme"], found["feature"])
        matrix = csr_array((found["weight"], places), shape=(self.lexemes, self.features))
        matrix.sort_indices()
        return matrix


@contextmanager
def staged(database: Database, parameters: Mapping[str, Any], format: FileFormat) -> Iterator[Staged]:
    """Yield the weights for these parameters, staged within the block, with names as a format needs them.

    Raises QuestionError for names that are not distinct, if there are no weights, and for invalid weights and
    parameters.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    weights, pos = str(given.pop("weights", DEFAULT_WEIGHTS)), given.pop("pos", None)
    try:
        with database.transaction():
            name_weights(database, weights, given)
            of_pos = weights_of_pos(database, pos, given.get("subcorpus"))
            database.run(fill_export_statement("stage", unfit=format.unfit, size=PART, weights=of_pos))
            if format.features:
                database.run(fill_export_statement("features", unfit=format.unfit))
            found = stage_weights(database, weights, format)
            for names in format.apart:
                refuse_equal_names(database, names)
            yield found
            database.run(statement("questions/export/clear"))
    except QuestionError as error:
        raise weightings.name_known_weights(database, weights, error) from error


def name_weights(database: Database, weights: str, given: Mapping[str, Any]) -> None:
    """Check and name the weights to stage: our own by ids, a user's relation by text."""
    refuse_other_parameters("export", given)
    options = SqlText(", ".join(literal(given.get(name)) for name in weightings.PARAMETERS))
    named = literal({name: name in given for name in weightings.PARAMETERS})
    database.value(f"SELECT _store.check_given({literal(weights)}, {named})")
    database.value(f"SELECT _store.check_options({literal(weights)}, {options})")
    if database.value(f"SELECT _store.scheme({literal(weights)})") is not None:
        database.run(fill_export_statement("known", weights=weights, options=options))
    else:
        database.run(fill_export_statement("own", weights=weights))


def weights_of_pos(database: Database, pos: object, subcorpus: object) -> SqlText:
    """Return the relation of the weights of lexemes with some parts of speech; of all if pos is None.

    Raises QuestionError for a part of speech that no lexeme has.
    """
    if pos is None:
        return SqlText("_named_weight")
    tags = [tag.strip() for tag in pos.split(",")] if isinstance(pos, str) else []
    if not all(tags) or not tags:
        raise QuestionError(f"pos is {pos!r:.60}; expected a part of speech, or several with commas, e.g. NOUN,VERB")
    there = [tag for (tag,) in database.rows(fill_export_statement("tags", subcorpus=subcorpus)) if tag is not None]
    for tag in tags:
        if tag not in there:
            raise QuestionError(f"no lexeme has the part of speech {tag}; available: {', '.join(there) or 'none'}")
    database.run(fill_export_statement("of_pos", tags=tags))
    return SqlText("_named_weight_of_pos")


def stage_weights(database: Database, weights: str, format: FileFormat) -> Staged:
    """Return the staged weights with their numbers.

    Raises QuestionError if there are none, or if a lexeme has two weights for one feature.
    """
    parts = [Part(*row) for row in database.rows(statement("questions/export/parts"))]
    if not parts:
        raise QuestionError(f"no weights of {weights} to write: none passes your filters")
    for lexeme, path, context in database.rows(statement("questions/export/repeated")):
        raise QuestionError(
            f"{weights} has several weights for {lexeme} {path} {context}; it must have one row for each lexeme, path "
            "and context"
        )
    tables = (LEXEMES, FEATURES) if format.features else (LEXEMES,)
    sizes = {names: database.rows(fill_export_statement("sizes", names=SqlText(names)))[0] for names in tables}
    renamed = sum(sizes[names][1] for names in format.apart)
    return Staged(database, parts, sizes[LEXEMES][0], sizes.get(FEATURES, (0, 0))[0], renamed)


def refuse_equal_names(database: Database, names: str) -> None:
    """Raise QuestionError if two names are equal, or a name is empty."""
    kind = "lexemes" if names == LEXEMES else "features"
    for name, one, other, named in database.rows(fill_export_statement("clash", names=SqlText(names))):
        if named == 1:
            raise QuestionError(f"one of the {kind} has an empty name; this format cannot write it, parquet can")
        raise QuestionError(
            f"the {kind} {one!r} and {other!r} would both be written {name!r}; choose another format, e.g. parquet, or "
            "weights of your own without one of them"
        )


def fill_export_statement(name: str, **values: Any) -> SqlText:
    """Return the statement `sql/questions/export.sql: NAME`, filled."""
    return statement(f"questions/export/{name}", **values)


DIMENSIONS = 100  # the default for word2vec
SEED = 0  # for the vector with which the reduction begins


def export(
    session: Session,
    file: str | Path,
    *,
    format: str | None = None,
    dimensions: int | None = None,
    space: str | None = None,
    progress: Follow = lambda *_: None,
    **parameters: Unpack[Exported],
) -> Written:
    """Write the weights of all lexemes to a file for other tools; return the written files.

    format: parquet, byblo, dissect, scipy or word2vec; by default the ending decides: .parquet, .tsv, .sm, .npz, .vec
    or .txt. dissect and scipy write names to two more files, .rows and .cols. dimensions: of word2vec vectors, by
    default 100. space: write the vectors of a reduced space instead (see `export_space`). pos: a part of
    speech, or several with commas. Everything is written or nothing. progress: called as progress(done, total)
    in weights; while vectors are reduced, with an estimate. Raises QuestionError.
    """
    file = Path(file)
    if space is not None:
        return export_space(session, file, space, format, {"dimensions": dimensions, **parameters})
    warn_of_stale_weights(session, {str(parameters.get("weights")).lower()})
    name = format or find_format(file, FORMATS, "format")
    if name not in FORMATS:
        of_space = "; that is a format of a space" if name in SPACE_FORMATS else ""
        raise QuestionError(f"format is {str(name)!r}; expected {', '.join(FORMATS)}{of_space}")
    chosen = FORMATS[name]
    refuse_dimensions(name, dimensions)
    stem = file.stem if file.suffix.lower() in chosen.endings else file.name
    files = free_places(file, stem, chosen)
    parts = target_of(file).absolute().with_name(f"{file.name}.parts")
    with (
        written_whole(files) as unfinished,
        session.copying(parts) as database,
        staged(database, parameters, chosen) as weights,
    ):
        progress(0, weights.weights)
        if name == "parquet":
            write_weights_as_parquet(weights, unfinished[0], parts, progress)
        else:
            write_weights(name, weights, unfinished, DIMENSIONS if dimensions is None else dimensions, progress)
        progress(weights.weights, weights.weights)
    return Written(tuple(files), weights.lexemes, weights.weights, weights.renamed)


def refuse_dimensions(format: str, dimensions: int | None) -> None:
    """Raise QuestionError for dimensions in a format without them, or fewer than one."""
    if dimensions is None:
        return
    if format != "word2vec":
        raise QuestionError(f"{format} takes no dimensions: it writes whole vectors; only word2vec takes them")
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise QuestionError(f"dimensions is {dimensions}; expected a whole number, 1 or more")


def write_weights(format: str, weights: Staged, files: Sequence[Path], dimensions: int, progress: Follow) -> None:
    """Write weights in any format but parquet: to the first file the weights, then names of lexemes, and of features.

    dimensions: of word2vec alone. Raises QuestionError if they are too many.
    """
    if format == "word2vec":
        refuse_more_dimensions(weights, dimensions)
        write_vectors(weights, files[0], reduced(weights.matrix(), dimensions, progress))
    elif format == "scipy":
        write_matrix(weights, files[0])
    else:
        write_lines(files[0], write_export_lines(format, weights, progress))
    for file, names in zip(files[1:], (LEXEMES, FEATURES), strict=False):
        write_lines(file, weights.names(names))


def write_weights_as_parquet(weights: Staged, file: Path, folder: Path, progress: Follow) -> None:
    """Write lexeme, path, context and weight, sorted: first part by part, which saves memory, then together."""
    run, done = weights.database.run, 0
    with scratch_folder(folder):
        parts = [folder / f"{number}.parquet" for number, _ in enumerate(weights.parts)]
        for part, place in zip(weights.parts, parts, strict=True):
            run(f"COPY ({weights.rows('parquet', part)}) TO {literal(str(place))} (FORMAT parquet)")
            done += part.weights
            progress(done, weights.weights)
        whole = folder / "whole.parquet"
        sources = literal([glob.escape(str(place)) for place in parts])
        run(f"COPY (FROM read_parquet({sources})) TO {literal(str(whole))} (FORMAT parquet)")
        whole.replace(file)


def write_export_lines(format: str, weights: Staged, progress: Follow) -> Iterator[str]:
    """Yield the lines of Byblo or DISSECT, part by part."""
    done = 0
    for part in weights.parts:
        yield from (str(line) for (line,) in weights.database.rows(weights.rows(format, part)))
        done += part.weights
        progress(done, weights.weights)


def write_matrix(weights: Staged, file: Path) -> None:
    """Write a file for scipy.sparse.load_npz, uncompressed: compression would take longer than everything else."""
    from scipy.sparse import save_npz

    with file.open("wb") as out:
        save_npz(out, weights.matrix(), compressed=False)


def refuse_more_dimensions(weights: Staged, dimensions: int) -> None:
    """Raise QuestionError if there are not more lexemes and features than dimensions."""
    if dimensions >= min(weights.lexemes, weights.features):
        raise QuestionError(
            f"{dimensions} dimensions are too many for {weights.lexemes} lexemes and {weights.features} features; "
            "choose fewer than both"
        )


def reduced(matrix: "csr_array", dimensions: int, progress: Follow = lambda *_: None) -> "np.ndarray[Any, Any]":
    """Return U·S of the truncated SVD, of shape (lexemes, dimensions), the largest singular value first.

    In each dimension the entry farthest from 0 is positive. progress: as of `export`. Raises QuestionError if the SVD
    fails.
    """
    import numpy as np
    from scipy.sparse.linalg import ArpackError, svds

    begun = np.random.default_rng(SEED).standard_normal(min(matrix.shape))
    try:
        left, sizes, _ = svds(
            followed(matrix, dimensions, progress), k=dimensions, v0=begun, return_singular_vectors="u"
        )
    except ArpackError as error:
        raise QuestionError(f"the reduction to {dimensions} dimensions failed: {error}; try fewer") from error
    order = np.argsort(-sizes, kind="stable")
    vectors = left[:, order] * sizes[order]
    farthest = vectors[np.abs(vectors).argmax(axis=0), np.arange(dimensions)]
    return np.asarray(np.where(farthest < 0, -vectors, vectors))


def write_vectors(weights: Staged, file: Path, vectors: "np.ndarray[Any, Any]") -> None:
    """Write vectors as text: their number and dimensions, then a line for each lexeme."""
    names = (name for names in weights.names(LEXEMES) for name in names.split("\n"))
    lines = (" ".join([name, *map(repr, vector.tolist())]) for name, vector in zip(names, vectors, strict=True))
    write_lines(file, chain([f"{vectors.shape[0]} {vectors.shape[1]}"], lines))


TOLD = ("dimensions", "shift", "power", "max_order", "min_frequency", "min_feature_count", "pos", "seed")


def export_space(session: Session, file: Path, space: str, format: str | None, others: Mapping[str, Any]) -> Written:
    """Write the vectors of a space; return the written files. others: what `export` is given beside.

    format: word2vec or word2vec-binary, the vectors alone; npy or safetensors, the vectors with the projection, and the
    names of their rows in files beside, .rows of lexemes and .cols of features. By default the ending decides: .vec or
    .txt, .bin, .npy, .safetensors. The most frequent lexemes come first. Raises QuestionError.
    """
    for name, value in others.items():
        if value is not None:
            raise QuestionError(f"the space {space} takes no {name}; its vectors are written as they are")
    name = format or find_format(file, SPACE_FORMATS, "format of spaces")
    if name not in SPACE_FORMATS:
        raise QuestionError(f"format is {str(name)!r}; a space is written as {', '.join(SPACE_FORMATS)}")
    chosen = SPACE_FORMATS[name]
    files = free_places(file, file.stem, chosen)
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
        write_lines(places[".rows"], lexemes)
        write_lines(places[".cols"], features)
    return Written(tuple(files), len(lexemes), int(vectors.size), renamed + of_features)


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
