"""Thesauri: the neighbours of all frequent lexemes, by products of matrices or in SQL, in resumable parts."""

import glob
import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack

from aptdb.core.errors import InterpretationWarning, QuestionError, warn
from aptdb.core.question_parameters import Neighbours, in_sql
from aptdb.core.schemes import DEFAULT_WEIGHTS
from aptdb.questions.calls import call
from aptdb.questions.execute import warn_of_stale_space, warn_of_stale_weights
from aptdb.questions.matrices import products_of
from aptdb.questions.weightings import recorded_beside, subcorpus_of_weighting
from aptdb.store.database import Database
from aptdb.store.file_writing import (
    LINE_ENDS,
    NOTHING,
    failures_named,
    overwrite_file,
    put_in_place,
    refuse_taken_place,
    target_of,
    written_whole,
)
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

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
    warn_of_stale_space(session, parameters.get("space"))
    plain = {name: each.item() if hasattr(each, "item") else each for name, each in parameters.items()}  # numpy's
    own = {name: parameter.default for name, parameter in in_sql("neighbours_each").items()}
    if parameters.get("space") is not None:
        own["missing"] = "empty"  # what a space has no feature of, e.g. a function word, has no neighbours in it
    with session.copying(folder_of(Path(file))) as database:
        recorded = recorded_beside(database, parameters.get("weights"))
        return write_thesaurus(database, Path(file), {**own, **recorded, **plain}, progress)


def folder_of(file: Path) -> Path:
    """Return the folder of finished parts."""
    return target_of(file).absolute().with_name(f"{target_of(file).name}.parts")


def write_thesaurus(
    database: Database, file: Path, parameters: Mapping[str, Any], progress: Callable[[int, int], None]
) -> int:
    """Write the neighbours of every frequent lexeme; return the number of rows.

    parameters: those of `neighbours`. The parts are in FILE.parts, which is deleted at the end. Raises QuestionError if
    the file cannot be written, or if the parts belong to another thesaurus.
    """
    if file.suffix not in FORMATS:
        raise QuestionError(f"{file} must end with .parquet or .tsv")
    refuse_taken_place(file)
    database.rows(SqlText(f"EXPLAIN FROM {call('neighbours_each', ['lexemes'], parameters)}"))  # says what does not fit
    fewest, asked_subcorpus = parameters["min_frequency"], subcorpus_of_weighting(database, parameters)
    lexemes = int(
        database.value(statement("questions/frequent_enough", subcorpus=asked_subcorpus), {"min_frequency": fewest})
    )
    by_products = products_of(database, parameters) if lexemes else None
    pairs = database.limits.memory // BYTES_OF_PAIR
    size = PART_OF_PRODUCTS if by_products else max(1, min(LARGEST_PART, pairs // max(lexemes, 1)))
    places = ranges(database, fewest, asked_subcorpus, size)
    folder = folder_of(file)
    with begin_parts(folder, plan(database, parameters, places), places) as parts:
        for part, (first, last) in parts.items():
            progress(first, lexemes)
            if not part.exists():
                each = (
                    by_products.ranked(first, last)
                    if by_products
                    else ranked(parameters, asked_subcorpus, first, last - first)
                )
                write_part(database, part, each)
        rows = join_parts(database, [*parts], file)
    progress(lexemes, lexemes)
    delete_parts(folder)
    return rows


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
def begin_parts(
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
        overwrite_file(
            folder / "plan.json", json.dumps({**wanted, "parts": [first for first, _ in parts.values()]}).encode()
        )
    else:
        with written_whole([folder]) as (unfinished,):
            unfinished.mkdir()
            (unfinished / "plan.json").write_text(json.dumps(wanted), encoding="utf-8")
    try:
        yield parts
    finally:
        if has_no_parts(folder) or str(wanted["content"]).startswith(UNKNOWN):
            delete_parts(folder)


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


def delete_parts(folder: Path) -> None:
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
        what = "from before the lexicon or its weights changed"
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
    with failures_named(part):
        put_in_place([unfinished], [part])


def join_parts(database: Database, parts: list[Path], file: Path) -> int:
    """Write all parts, in order, into one file; return the number of rows."""
    unfinished = parts[0].with_name(f"unfinished{file.suffix}")
    unfit = LINE_ENDS if file.suffix == ".tsv" else NOTHING
    fit = {"parts": [glob.escape(str(part)) for part in parts], "unfit": unfit}
    if renamed := database.value(statement("questions/unfit", **fit)):
        warn(
            f"{renamed:,} names have _ in place of tabs and line ends, which {file.name} cannot hold",
            InterpretationWarning,
        )
    joined = statement("questions/joined", **fit)
    rows = database.value(f"COPY ({joined}) TO {literal(str(unfinished))} ({FORMATS[file.suffix]})")
    with failures_named(file):
        put_in_place([unfinished], [file])
    return int(rows)
