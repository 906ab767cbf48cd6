"""Writes all weights to a file for other tools: Parquet, Byblo, DISSECT, scipy or word2vec."""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.schemes import Exported
from aptdb.questions.execute import warn_of_stale_weights
from aptdb.questions.export_tables import FEATURES, FORMATS, LEXEMES, FileFormat, Staged, staged
from aptdb.store.file_writing import refuse_taken_place, scratch_folder, written_whole
from aptdb.store.session import Session
from aptdb.store.statements import literal

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array

Follow = Callable[[int, int], None]  # is told how many weights of how many are done

DIMENSIONS = 100  # the default for word2vec
EXPECTED = (200, 7)  # products with vectors that an SVD takes, measured: so many, and so many more for each dimension
SEED = 0  # for the vector with which the reduction begins


@dataclass(frozen=True)
class Written:
    """What was written: the files, the main one first, and the number of lexemes and weights in them.

    renamed: how many names of lexemes and features have a `_` in place of something that the format cannot write.
    """

    files: tuple[Path, ...]
    lexemes: int
    weights: int
    renamed: int


def export(
    session: Session,
    file: str | Path,
    *,
    format: str | None = None,
    dimensions: int | None = None,
    progress: Follow = lambda *_: None,
    form: str | None = None,
    **parameters: Unpack[Exported],
) -> Written:
    """Write the weights of all lexemes to a file for other tools; returns what was written, and where.

    format: parquet, byblo, dissect, scipy or word2vec; by default the ending decides: .parquet, .tsv, .sm, .npz, .vec
    or .txt. dissect and scipy write names to two more files, .rows and .cols. dimensions: only for word2vec, to how
    many the vectors are reduced, by default 100. form: the old name of format. pos: a part of speech, or several with
    commas between them. Everything is written or nothing. progress is told how many weights of how many are done;
    while vectors are reduced, as many as the part of the work that is probably done. Raises QuestionError.
    """
    file = Path(file)
    warn_of_stale_weights(session, {str(parameters.get("weights")).lower()})
    name = format or form or format_of(file)
    if name not in FORMATS:
        raise QuestionError(f"format is {name!r}; expected {', '.join(FORMATS)}")
    chosen = FORMATS[name]
    refuse_dimensions(name, dimensions)
    files = free_places(file, chosen)
    parts = file.absolute().with_name(f"{file.name}.parts")
    with (
        written_whole(files) as unfinished,
        session.copying(parts) as database,
        staged(database, parameters, unfit=chosen.unfit, features=chosen.features, apart=chosen.apart) as weights,
    ):
        progress(0, weights.weights)
        if name == "parquet":
            write_parquet(weights, unfinished[0], parts, progress)
        else:
            write(name, weights, unfinished, DIMENSIONS if dimensions is None else dimensions, progress)
        progress(weights.weights, weights.weights)
    return Written(tuple(files), weights.lexemes, weights.weights, weights.renamed)


def format_of(file: Path) -> str:
    """Return the format for the ending of a file. Raises QuestionError if there is none."""
    for name, format in FORMATS.items():
        if file.suffix.lower() in format.endings:
            return name
    endings = ", ".join(f"{ending} ({name})" for name, format in FORMATS.items() for ending in format.endings)
    raise QuestionError(f"no format has the ending of {file}; use {endings}; or name a format with --as")


def refuse_dimensions(format: str, dimensions: int | None) -> None:
    """Raise QuestionError for dimensions in a format without them, or fewer than one."""
    if dimensions is None:
        return
    if format != "word2vec":
        raise QuestionError(f"{format} takes no dimensions, because it writes whole vectors; word2vec does")
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise QuestionError(f"dimensions is {dimensions}; expected a whole number, 1 or more")


def free_places(file: Path, format: FileFormat) -> list[Path]:
    """Return the files to write. Raises QuestionError if one is there already, or there is no place for it."""
    if str(file) == "-":
        raise QuestionError("an export needs a file; name one")
    files = files_of(file, format)
    for each in files:
        refuse_taken_place(each)
    return files


def files_of(file: Path, format: FileFormat) -> list[Path]:
    """Return the file itself and the files beside it, which differ in their ending."""
    stem = file.stem if file.suffix.lower() in format.endings else file.name
    return [file, *(file.with_name(f"{stem}{ending}") for ending in format.beside)]


def write(format: str, weights: Staged, files: Sequence[Path], dimensions: int, progress: Follow) -> None:
    """Write weights to the files of a format."""
    if format == "word2vec":
        refuse_more_dimensions(weights, dimensions)
        write_vectors(weights, files[0], reduced(weights.matrix(), dimensions, progress))
    elif format == "scipy":
        write_matrix(weights, files[0])
    else:
        write_lines(files[0], lines_of(format, weights, progress))
    for file, names in zip(files[1:], (LEXEMES, FEATURES), strict=False):
        write_lines(file, weights.names(names))


def write_parquet(weights: Staged, file: Path, folder: Path, progress: Follow) -> None:
    """Write lexeme, path, context and weight, sorted: first each part, which takes little memory, then all together."""
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


def lines_of(format: str, weights: Staged, progress: Follow) -> Iterator[str]:
    """Yield the lines of Byblo or DISSECT, part by part."""
    done = 0
    for part in weights.parts:
        yield from weights.lines(format, part)
        done += part.weights
        progress(done, weights.weights)


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write lines, or texts of several lines, and end each line."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


def write_matrix(weights: Staged, file: Path) -> None:
    """Write a file for scipy.sparse.load_npz. It is not compressed: that would take longer than all else."""
    from scipy.sparse import save_npz

    with file.open("wb") as out:
        save_npz(out, weights.matrix(), compressed=False)


def refuse_more_dimensions(weights: Staged, dimensions: int) -> None:
    """Raise QuestionError if there are not more lexemes and more features than dimensions."""
    if dimensions >= min(weights.lexemes, weights.features):
        raise QuestionError(
            f"{dimensions} dimensions are too many for {weights.lexemes} lexemes and {weights.features} features; "
            "choose fewer than both"
        )


def reduced(matrix: "csr_array", dimensions: int, progress: Follow = lambda *_: None) -> "np.ndarray[Any, Any]":
    """U·S of the truncated SVD, of shape (lexemes, dimensions), the largest singular value first.

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


def followed(matrix: "csr_array", dimensions: int, progress: Follow) -> Any:
    """Return a matrix whose products tell how far a reduction has probably come, as a number of its weights.

    ARPACK multiplies until it has converged, and nobody knows before how often that is. The nearer it comes to what is
    usual (EXPECTED), the slower the number grows; it never reaches the end.
    """
    from scipy.sparse.linalg import LinearOperator, aslinearoperator

    plain, done, expected = aslinearoperator(matrix), 0, EXPECTED[0] + EXPECTED[1] * dimensions

    def told(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def multiply(vector: Any) -> Any:
            nonlocal done
            done += 1
            progress(int(matrix.nnz * (1 - exp(-2 * done / expected))), matrix.nnz)
            return product(vector)

        return multiply

    return LinearOperator(
        matrix.shape,
        matvec=told(plain.matvec),
        rmatvec=told(plain.rmatvec),
        matmat=plain.matmat,
        rmatmat=plain.rmatmat,
        dtype=matrix.dtype,
    )


def write_vectors(weights: Staged, file: Path, vectors: "np.ndarray[Any, Any]") -> None:
    """Write vectors as text: their number and dimensions, then a line for each lexeme."""
    names = (name for names in weights.names(LEXEMES) for name in names.split("\n"))
    lines = (" ".join([name, *map(repr, vector.tolist())]) for name, vector in zip(names, vectors, strict=True))
    write_lines(file, chain([f"{vectors.shape[0]} {vectors.shape[1]}"], lines))
