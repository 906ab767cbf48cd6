"""All weights as a file that other tools read: Parquet, Byblo, DISSECT, scipy and word2vec; whole or not at all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.errors import QuestionError
from aptdb.exchange.formats import FEATURES, FORMATS, LEXEMES, FileFormat
from aptdb.exchange.staging import Staged, staged
from aptdb.parameters.weights import Export
from aptdb.questions.answers import warn_of_stale_weights
from aptdb.store.files import MEMORY, refuse_confined, refuse_taken_place, within, written_whole
from aptdb.store.literals import literal
from aptdb.store.session import Session

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array

Follow = Callable[[int, int], None]  # told how many weights of how many are done

DIMENSIONS = 100  # of word2vec's vectors, where nothing is said
SEED = 0  # of the vector that the reduction begins with


@dataclass(frozen=True)
class Written:
    """What was written: the files, the one that was asked for first; how many lexemes and weights are in them.

    renamed: how many names of lexemes and features have a `_` for what the format cannot hold.
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
    **parameters: Unpack[Export],
) -> Written:
    """Write the weights of all lexemes to a file that other tools read; returns what was written, and where.

    format: parquet, byblo, dissect, scipy or word2vec; without it the ending tells: .parquet, .tsv, .sm, .npz, .vec or
    .txt. dissect and scipy have the names in files beside it, .rows and .cols. dimensions: of word2vec alone, to how
    many the vectors are reduced, 100 if nothing is said. form: the old name of format. All is written or nothing.
    progress is told how many weights of how many are done. Raises QuestionError.
    """
    database, file = session.reading(), Path(file)
    warn_of_stale_weights(session, {str(parameters.get("weights")).lower()})
    name = format or form or format_of(file)
    if name not in FORMATS:
        raise QuestionError(f"format is {name!r}; it is {', '.join(FORMATS)}")
    chosen = FORMATS[name]
    refuse_dimensions(name, dimensions)
    refuse_confined(database, "an export")
    if str(file) == "-":
        raise QuestionError("an export is a file, or several; name one")
    files = files_of(file, chosen)
    for each in files:
        refuse_taken_place(each)
    found = staged(database, parameters, unfit=chosen.unfit, features=chosen.features, apart=chosen.apart)
    with written_whole(files) as unfinished, within(database, MEMORY), found as weights:
        progress(0, weights.weights)
        write(name, weights, unfinished, DIMENSIONS if dimensions is None else dimensions, progress)
        progress(weights.weights, weights.weights)
    return Written(tuple(files), weights.lexemes, weights.weights, weights.renamed)


def format_of(file: Path) -> str:
    """The format that the ending of a file's name tells. Raises QuestionError where it tells none."""
    for name, form in FORMATS.items():
        if file.suffix.lower() in form.endings:
            return name
    endings = ", ".join(f"{ending} ({name})" for name, form in FORMATS.items() for ending in form.endings)
    raise QuestionError(f"the ending of {file} tells no format; there is {endings}; or name one of them")


def refuse_dimensions(form: str, dimensions: int | None) -> None:
    """Raise QuestionError for dimensions of a format that has none, or fewer than one."""
    if dimensions is None:
        return
    if form != "word2vec":
        raise QuestionError(f"{form} takes no dimensions, its vectors are whole; word2vec does")
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise QuestionError(f"dimensions is {dimensions}; it is a whole number, 1 or more")


def files_of(file: Path, form: FileFormat) -> list[Path]:
    """The file itself and those beside it, which have its name but for the ending."""
    stem = file.stem if file.suffix.lower() in form.endings else file.name
    return [file, *(file.with_name(f"{stem}{ending}") for ending in form.beside)]


def write(form: str, weights: Staged, files: Sequence[Path], dimensions: int, progress: Follow) -> None:
    """Write weights to the files of a format."""
    if form == "parquet":
        write_parquet(weights, files[0], progress)
    elif form == "word2vec":
        refuse_more_dimensions(weights, dimensions)
        write_vectors(weights, files[0], reduced(weights.matrix(), dimensions))
    elif form == "scipy":
        write_matrix(weights, files[0])
    else:
        write_lines(files[0], lines_of(form, weights, progress))
    for file, names in zip(files[1:], (LEXEMES, FEATURES), strict=False):
        write_lines(file, weights.names(names))


def write_parquet(weights: Staged, file: Path, progress: Follow) -> None:
    """Write lexeme, path, context and weight, sorted: each part on its own, which takes little memory, then all."""
    run, done = weights.database.run, 0
    parts = [file.with_name(f"{file.name}.{number}") for number, _ in enumerate(weights.parts)]
    try:
        for part, place in zip(weights.parts, parts, strict=True):
            run(f"COPY ({weights.rows('parquet', part)}) TO {literal(str(place))} (FORMAT parquet)")
            done += part.weights
            progress(done, weights.weights)
        whole = literal([str(place) for place in parts])
        run(f"COPY (FROM read_parquet({whole})) TO {literal(str(file))} (FORMAT parquet)")
    finally:
        for place in parts:
            place.unlink(missing_ok=True)


def lines_of(form: str, weights: Staged, progress: Follow) -> Iterator[str]:
    """The lines of Byblo or DISSECT, part by part."""
    done = 0
    for part in weights.parts:
        yield from weights.lines(form, part)
        done += part.weights
        progress(done, weights.weights)


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write lines, or text of several lines, each with its end."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


def write_matrix(weights: Staged, file: Path) -> None:
    """Write what scipy.sparse.load_npz reads. It is not compressed, which would take longer than all else."""
    from scipy.sparse import save_npz

    with file.open("wb") as out:
        save_npz(out, weights.matrix(), compressed=False)


def refuse_more_dimensions(weights: Staged, dimensions: int) -> None:
    """Raise QuestionError where there are not more lexemes and features than dimensions."""
    if dimensions >= min(weights.lexemes, weights.features):
        raise QuestionError(
            f"{dimensions} dimensions are too many for {weights.lexemes} lexemes and {weights.features} features; "
            "--dimensions is below both"
        )


def reduced(matrix: "csr_array", dimensions: int) -> "np.ndarray[Any, Any]":
    """U·S of the truncated SVD, of shape (lexemes, dimensions), the largest singular value first.

    Of each dimension the entry that is farthest from 0 is positive. Raises QuestionError where it is not found.
    """
    import numpy as np
    from scipy.sparse.linalg import ArpackError, svds

    begun = np.random.default_rng(SEED).standard_normal(min(matrix.shape))
    try:
        left, sizes, _ = svds(matrix, k=dimensions, v0=begun, return_singular_vectors="u")
    except ArpackError as error:
        raise QuestionError(f"no {dimensions} dimensions are found: {error}; ask for fewer") from error
    order = np.argsort(-sizes, kind="stable")
    vectors = left[:, order] * sizes[order]
    farthest = vectors[np.abs(vectors).argmax(axis=0), np.arange(dimensions)]
    return np.asarray(np.where(farthest < 0, -vectors, vectors))


def write_vectors(weights: Staged, file: Path, vectors: "np.ndarray[Any, Any]") -> None:
    """Write vectors as text: how many there are, and their dimensions; then a line for each lexeme."""
    names = (name for names in weights.names(LEXEMES) for name in names.split("\n"))
    lines = (" ".join([name, *map(repr, vector.tolist())]) for name, vector in zip(names, vectors, strict=True))
    write_lines(file, chain([f"{vectors.shape[0]} {vectors.shape[1]}"], lines))
