"""Thesauri: the neighbours of all frequent lexemes, by products of sparse matrices or in SQL, in resumable parts.

This is the only answer that is not computed in SQL alone: a library multiplies matrices several times faster. Vectors
come from SQL, all at once if they fit into memory; and SQL ranks the products.
"""

import glob
import json
import re
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import QuestionError, Renamed, warn
from aptdb.core.question_parameters import Neighbours, in_sql
from aptdb.core.schemes import DEFAULT_WEIGHTS
from aptdb.questions.calls import call
from aptdb.questions.execute import warn_of_stale_weights
from aptdb.questions.weightings import subcorpus_of
from aptdb.store.database import Database
from aptdb.store.file_writing import LINE_ENDS, NOTHING, name_until, overwrite, refuse_taken_place
from aptdb.store.limits import cores
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

    Array = np.ndarray[Any, Any]
    Triples = tuple[Array, Array, Array]

SHARE = 0.4  # of the memory for vectors
BYTES_OF_WEIGHT = 60  # while it is read, sorted by lexemes and by features, and beside those of who is asked for
AT_ONCE = 250  # lexemes in one product: Ctrl-C is heard between two
SPARE = 16  # products of each lexeme beyond those returned: some may be equal
MOST_NEIGHBOURS = 1000  # neighbours of each lexeme: the library allocates room for all
DIGITS = 12  # as many as SQL ranks by


def can_tell(database: Database, parameters: Mapping[str, Any]) -> bool:
    """Return whether products can find the neighbours for these parameters of `neighbours_each`.

    They can for the cosine between lexemes, under weights of the lexicon, if the library is installed, the vectors fit
    into memory, and not too many neighbours of each are asked for.
    """
    top = parameters["top"]
    usual = {"measure": "cosine", "among": "lexemes", "smooth": "none", "space": None}
    return (
        find_spec("sparse_dot_topn") is not None
        and isinstance(top, int)
        and top <= MOST_NEIGHBOURS
        and all(parameters[name] == value for name, value in usual.items())
        and bool(database.value(f"SELECT _store.scheme({literal(parameters['weights'])}) IS NOT NULL"))
        and fit(database, parameters["min_frequency"], subcorpus_of(database, parameters))
    )


def fit(database: Database, fewest: object, subcorpus: str | None) -> bool:
    """Return whether the vectors of all lexemes of this frequency fit into memory."""
    if fewest is not None and (isinstance(fewest, bool) or not isinstance(fewest, int)):
        return False  # which is refused where it is asked
    weights = int(database.value(statement("questions/products/weights", fewest=fewest, subcorpus=subcorpus)))
    return weights * BYTES_OF_WEIGHT <= database.limits.memory * SHARE


class Products:
    """Neighbours of all frequent lexemes, for parameters of `neighbours_each`.

    A lexeme is identified by its rank in frequency.
    """

    def __init__(self, database: Database, parameters: Mapping[str, Any]) -> None:
        """Take all parameters of `neighbours_each`. Raise QuestionError for an invalid one."""
        database.leave_memory(SHARE)
        self._database = database
        self._parameters = parameters
        self._features = int(database.value("SELECT coalesce(max(id), 0) + 1 FROM _store.node"))
        self._vectors(0, 1)  # refuses parameters
        self._candidates = {"fewest": parameters["min_frequency"], "subcorpus": subcorpus_of(database, parameters)}
        places = statement("questions/products/places", **self._candidates, tag=parameters["pos"])
        self._groups = database.arrays(places)["group_id"]
        self._matrices = [*self._of_groups(self._vectors(0, len(self._groups)))]

    def ranked(self, first: int, last: int) -> SqlText:
        """Return a SELECT of the neighbours of a range of lexemes: rows of lexeme, neighbour, similarity.

        It reads the relation `product` of this connection, which is made anew.
        """
        self._database.bring("product", self._products(first, min(last, len(self._groups))))
        return statement("questions/products/part", **self._candidates, top=self._parameters["top"])

    def _products(self, first: int, last: int) -> "dict[str, Array]":
        """Return pairs of a lexeme of the range (question) and a similar one (place), with their product."""
        import numpy as np

        found: list[Triples] = [(np.empty(0, "i4"), np.empty(0, "i4"), np.empty(0))]
        asked, top = self._vectors(first, last), int(self._parameters["top"])
        for group, places, matrix in self._matrices:
            rows = self._asking(first, last, group)
            for some in range(0, len(rows), AT_ONCE):
                questions = rows[some : some + AT_ONCE]
                found += (
                    (questions[row], places[near], shared)
                    for row, near, shared in largest(asked[questions - first], matrix, top)
                )
        columns = (np.concatenate(each) for each in zip(*found, strict=True))
        return dict(zip(("question", "place", "shared"), columns, strict=True))

    def _asking(self, first: int, last: int, group: int) -> "Array":
        """Return the lexemes of the range whose neighbours belong to a group."""
        import numpy as np

        if self._parameters["pos"] != "same":
            return np.arange(first, last)
        return np.flatnonzero(self._groups[first:last] == group) + first

    def _of_groups(self, vectors: "csr_matrix") -> "Iterator[tuple[int, Array, csr_matrix]]":
        """Yield each group of lexemes, its members, and their vectors by features."""
        import numpy as np

        for group in np.unique(self._groups[self._groups >= 0]):
            members = np.flatnonzero(self._groups == group)
            yield int(group), members, vectors[members].T.tocsr()

    def _vectors(self, first: int, last: int) -> "csr_matrix":
        """Return the vectors of a range of lexemes, each of length 1, of shape (lexemes, features)."""
        import numpy as np
        from scipy.sparse import coo_matrix

        of_places = call("neighbours_each", [first, last - 1], self._parameters, macro="_store.placed_dimension")
        read = self._database.arrays(f"FROM {of_places}")
        values, rows, features = (read.pop(name) for name in ("value", "row", "feature"))
        values /= np.sqrt(np.bincount(rows, values**2, last - first))[rows]
        return coo_matrix((values, (rows, features)), (last - first, self._features)).tocsr()


def largest(asked: "csr_matrix", near: "csr_matrix", top: int) -> "Iterator[Triples]":
    """Return the largest values of each row of a product of matrices: all that may be in the top, ties included.

    As arrays of row, column, value; only values above 0. A row may contain the lexeme itself, so there is one more.
    """
    import numpy as np
    from sparse_dot_topn import sp_matmul_topn

    most = top + 1 + SPARE
    best = sp_matmul_topn(asked, near, most, threshold=0.0, sort=True, n_threads=cores())
    full = np.flatnonzero(np.diff(best.indptr) == most)
    last, least = (best.data[best.indptr[full] + place].round(DIGITS) for place in (most - 1, top))
    unclear = full[last >= least]  # later ones may be as large as those returned
    clear = np.setdiff1d(np.arange(asked.shape[0]), unclear)
    for rows, values in ((clear, best[clear]), (unclear, asked[unclear] @ near)):
        found = values.tocoo()
        yield rows[found.row], found.col, found.data


LARGEST_PART = 500  # lexemes in one query
PART_OF_PRODUCTS = 2000  # lexemes whose vectors are multiplied with those of all
BYTES_OF_ROW = 250  # of memory for a co-occurrence of the lexemes that are asked for at once
BYTES_OF_PAIR = 600  # of memory for a lexeme and a candidate that are compared in one query
FORMATS = {".parquet": "FORMAT parquet", ".tsv": "FORMAT csv, DELIMITER '\t', HEADER, QUOTE '', ESCAPE ''"}
UNKNOWN = "weights of your own"
# What is in the folder of the parts.
PART = re.compile(r"\d{9}\.parquet")
OURS = re.compile(rf"{PART.pattern}|\d{{9}}\.unfinished|unfinished\.(parquet|tsv)|plan\.json")


def thesaurus(
    session: Session,
    file: str | Path,
    *,
    progress: Callable[[int, int], None] = lambda *_: None,
    **parameters: Unpack[Neighbours],
) -> int:
    """Write the neighbours of all frequent lexemes to a .parquet or .tsv file; return the number of rows.

    Columns: lexeme, neighbour, similarity; the most frequent lexemes first. Finished parts are kept in a folder beside
    the file until the end, and a call with the same parameters continues from there. progress: called as progress(done,
    total) in lexemes. Raises QuestionError.
    """
    warn_of_stale_weights(session, {str(parameters.get("weights")).lower()})
    own = {name: parameter.default for name, parameter in in_sql("neighbours_each").items()}
    if parameters.get("space") is not None:
        own["missing"] = "empty"  # what a space has no feature of, e.g. a function word, has no neighbours in it
    with session.copying(folder_of(Path(file))) as database:
        return write_thesaurus(database, Path(file), {**own, **parameters}, progress)


def folder_of(file: Path) -> Path:
    """Return the folder of finished parts."""
    return file.absolute().with_name(f"{file.name}.parts")


def write_thesaurus(
    database: Database, file: Path, parameters: Mapping[str, Any], progress: Callable[[int, int], None]
) -> int:
    """Write the neighbours of every frequent lexeme; return the number of rows.

    parameters: those of `neighbours`. The parts are in FILE.parts, which is deleted at the end. Raises QuestionError if
    the file cannot be written, or if the parts belong to another thesaurus.
    """
    refuse_place(file)
    fewest, asked_subcorpus = parameters["min_frequency"], subcorpus_of(database, parameters)
    lexemes = int(
        database.value(statement("questions/frequent_enough", subcorpus=asked_subcorpus), {"min_frequency": fewest})
    )
    by_products = Products(database, parameters) if lexemes and can_tell(database, parameters) else None
    pairs = database.limits.memory // BYTES_OF_PAIR
    size = PART_OF_PRODUCTS if by_products else max(1, min(LARGEST_PART, pairs // max(lexemes, 1)))
    places = ranges(database, fewest, asked_subcorpus, size)
    folder = folder_of(file)
    with begun(folder, plan(database, parameters, places), places) as parts:
        for part, (first, last) in parts.items():
            progress(first, lexemes)
            if not part.exists():
                each = (
                    by_products.ranked(first, last)
                    if by_products
                    else ranked(parameters, asked_subcorpus, first, last - first)
                )
                write_part(database, part, each)
        rows = join(database, [*parts], file)
    progress(lexemes, lexemes)
    take_away(folder)
    return rows


def refuse_place(file: Path) -> None:
    """Raise QuestionError if the file cannot be written."""
    if file.suffix not in FORMATS:
        raise QuestionError(f"{file} must end with .parquet or .tsv")
    refuse_taken_place(file)


def ranges(database: Database, fewest: object, subcorpus: str | None, most: int) -> list[tuple[int, int]]:
    """Return the range of lexemes of each part, small enough for the memory."""
    most_rows = database.limits.memory // BYTES_OF_ROW
    how = {"fewest": fewest, "subcorpus": subcorpus, "most_lexemes": most, "most_rows": most_rows}
    found = database.rows(statement("questions/parts", **how))
    return [(int(first), int(last) + 1) for first, last in found] or [(0, 1)]


def plan(database: Database, parameters: Mapping[str, Any], places: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return what identifies a thesaurus: the lexicon's contents, the parameters, the first lexeme of each part."""
    weights = str(parameters.get("weights", DEFAULT_WEIGHTS))
    content, known = database.rows(statement("questions/content"), {"weights": weights})[0]
    if not known:
        content = f"{UNKNOWN} {uuid.uuid4()}"  # they may be different the next time
    begins = [first for first, _ in places]
    return {
        "content": content,
        "parts": begins,
        **{name: each for name, each in parameters.items() if each is not None},
    }


@contextmanager
def begun(
    folder: Path, wanted: Mapping[str, Any], places: Sequence[tuple[int, int]]
) -> Iterator[dict[Path, tuple[int, int]]]:
    """Yield the files of the parts with their ranges of lexemes; make their folder, or go on in it.

    The folder is deleted again if it ends up empty, or if no later call could go on with it.
    """
    parts = part_files(folder, places)
    if folder.exists():
        found = plan_in(folder)
        refuse_other_plan(folder, found, wanted)
        parts = part_files(folder, gone_on(folder, found["parts"], places))
        overwrite(
            folder / "plan.json", json.dumps({**wanted, "parts": [first for first, _ in parts.values()]}).encode()
        )
    else:
        make(folder, wanted)
    try:
        yield parts
    finally:
        if has_no_parts(folder) or str(wanted["content"]).startswith(UNKNOWN):
            take_away(folder)


def part_files(folder: Path, places: Sequence[tuple[int, int]]) -> dict[Path, tuple[int, int]]:
    """Return the file of each part, with its range of lexemes."""
    return {folder / f"{first:09}.parquet": (first, last) for first, last in places}


def gone_on(folder: Path, begins: Sequence[int], places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges of parts after a stop: finished ones stay, others are cut where this call would cut them too.

    begins: the first lexemes of the parts of the call that was stopped, which may have had more memory, or less.
    """
    found: list[tuple[int, int]] = []
    end = max(last for _, last in places)
    for part, (first, last) in part_files(folder, [*zip(begins, [*begins[1:], end], strict=True)]).items():
        cuts = [] if part.exists() else [begin for begin, _ in places if first < begin < last]
        found += zip([first, *cuts], [*cuts, last], strict=True)
    return found


def has_no_parts(folder: Path) -> bool:
    """Return whether a folder has no finished part, or does not exist."""
    return not folder.exists() or not any(PART.fullmatch(each.name) for each in folder.iterdir())


def make(folder: Path, wanted: Mapping[str, Any]) -> None:
    """Create the folder of the parts with its plan, completely or not at all."""
    unfinished = name_until(folder, "unfinished")
    try:
        unfinished.mkdir()
        (unfinished / "plan.json").write_text(json.dumps(wanted), encoding="utf-8")
        unfinished.rename(folder)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise QuestionError(f"{folder} cannot be written: {error.strerror}") from error


def plan_in(folder: Path) -> dict[str, Any]:
    """Return the plan in a folder of parts. Raise QuestionError if the folder has other contents."""
    try:
        found = dict(json.loads((folder / "plan.json").read_text(encoding="utf-8")))
        found["parts"] = [int(first) for first in found["parts"]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise QuestionError(
            f"{folder} exists and has no parts of a thesaurus; delete it, or name another file"
        ) from error
    return found


def take_away(folder: Path) -> None:
    """Delete the files of a thesaurus in its folder, if there is one, and the folder if it is then empty."""
    if not folder.exists():
        return
    for each in folder.iterdir():
        if OURS.fullmatch(each.name):
            each.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def refuse_other_plan(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise QuestionError, which names the differences, if the parts belong to another thesaurus."""
    differing = sorted(key for key in {*found, *wanted} if found.get(key) != wanted.get(key))
    parameters = [key for key in differing if key not in {"content", "parts"}]
    if parameters:
        what = f"with other {', '.join(parameters)}"
    elif "content" in differing:
        what = "of the lexicon, or of weights, before they changed"
    else:
        return
    raise QuestionError(f"{folder} has parts of a thesaurus {what}; delete the folder to start again")


def ranked(parameters: Mapping[str, Any], subcorpus: str | None, first: int, size: int) -> SqlText:
    """Return a SELECT of the neighbours of a range of lexemes: rows of lexeme, neighbour, similarity.

    It reads the relation `product` of this connection, which is made again for each range.
    """
    each = call("neighbours_each", [SqlText("'asked'")], parameters)
    fewest = parameters["min_frequency"]
    return statement(
        "questions/part", first=first, size=size, min_frequency=fewest, subcorpus=subcorpus, neighbours=each
    )


def write_part(database: Database, part: Path, rows: SqlText) -> None:
    """Write a part, completely or not at all."""
    unfinished = part.with_suffix(".unfinished")
    database.run(f"COPY ({rows}) TO {literal(str(unfinished))} (FORMAT parquet)")
    unfinished.rename(part)


def join(database: Database, parts: list[Path], file: Path) -> int:
    """Write all parts, in order, into one file; return the number of rows."""
    unfinished = parts[0].with_name(f"unfinished{file.suffix}")
    unfit = LINE_ENDS if file.suffix == ".tsv" else NOTHING
    fit = {"parts": [glob.escape(str(part)) for part in parts], "unfit": unfit}
    if renamed := database.value(statement("questions/unfit", **fit)):
        warn(f"{renamed:,} names have _ in place of tabs and line ends, which {file.name} cannot hold", Renamed)
    joined = statement("questions/joined", **fit)
    rows = database.value(f"COPY ({joined}) TO {literal(str(unfinished))} ({FORMATS[file.suffix]})")
    unfinished.rename(file)
    return int(rows)
