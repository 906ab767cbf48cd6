"""Cut the lines of a data set into columns, find columns by name, and recognise formats by header or content."""

import csv
import math
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mode

from aptdb.core.errors import DataSetError, InterpretationWarning, refuse_no_file_name, warn
from aptdb.store.file_writing import why_not_read

NAMES = {  # names of columns in a header, by their content
    "participant": {"participant", "subject_id", "annotator", "annotator_id", "rater", "worker"},
    "verb": {"verb"},
    "subject": {"subject", "subj", "noun"},
    "object": {"object", "obj"},
    "landmark": {"landmark"},
    "rating": {"input", "rating", "score", "annotator_score", "similarity"},
}
TAGS = {  # by the names that data sets use
    **dict.fromkeys(("n", "nn", "nns", "noun"), "NOUN"),
    **dict.fromkeys(("v", "vb", "vbd", "vbg", "vbn", "vbp", "vbz", "verb"), "VERB"),
    **dict.fromkeys(("a", "j", "jj", "jjr", "jjs", "adj", "adjective"), "ADJ"),
    **dict.fromkeys(("r", "rb", "rbr", "rbs", "adv", "adverb"), "ADV"),
    **dict.fromkeys(("nnp", "nnps", "propn"), "PROPN"),
    **{
        tag.lower(): tag
        for tag in ("PRON", "NUM", "ADP", "DET", "INTJ", "AUX", "PART", "CCONJ", "SCONJ", "SYM", "PUNCT")
    },
}
KNOWN_TAGS = {*TAGS.values()}
SUFFIX = re.compile(r"(.+)[-/_]([A-Za-z]+)")
LARGEST = 10**8  # bytes of a data set
COLUMNS_OF_CONLLU = 10
LOOKED_AT = 20  # rows in which we look for a number, to find the columns
SENTENCE = ("subject", "verb", "object")

Row = tuple[int, list[str]]  # a line: its number, and its columns


def bytes_of(source: str | Path) -> bytes:
    """Return the content of a file, or of standard input. Raises DataSetError."""
    refuse_no_file_name("source", source, DataSetError)
    if str(source) != "-" and (why := why_not_read(Path(source), LARGEST)):
        raise DataSetError(f"{source} cannot be read: {why}")
    try:
        return sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataSetError(f"{source} cannot be read: {error.strerror}") from error


def name_source(source: str | Path) -> str:
    """Return the name of a source in messages."""
    return "stdin" if str(source) == "-" else Path(source).name


def read_source_text(source: str | Path) -> str:
    """Return the text of a source. Raise DataSetError if it is not UTF-8."""
    return decode_text(name_source(source), bytes_of(source))


def decode_text(name: str, content: bytes) -> str:
    """Return text. Raise DataSetError if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataSetError(f"{name} is not UTF-8 at byte {error.start}; save it as UTF-8") from error


def cut_lines(name: str, content: bytes) -> list[Row]:
    """Return the non-empty lines, cut at tabs, commas, semicolons or spaces; the first line decides which."""
    text = decode_text(name, content)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    if len(lines) < 2:  # noqa: PLR2004
        found = "only one line" if lines else "no lines"
        raise DataSetError(f"{name} has {found}; a data set has a line for each rating")
    cut = next((mark for mark in "\t,;" if lines[0][1].count(mark) >= 2), None)  # noqa: PLR2004
    if cut is None:
        return [(number, line.split()) for number, line in lines]
    return [(number, cells_of(name, number, line, cut)) for number, line in lines]


def cells_of(name: str, place: int, line: str, cut: str) -> list[str]:
    """Return the columns of a line. Quotes go around a column in CSV; between tabs they belong to the word."""
    if cut == "\t":
        return [cell.strip() for cell in line.split(cut)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=cut))]
    except csv.Error as error:
        raise at_fault(name, place, f"{error}; a column is a word or a number") from error


def first_number(rows: Sequence[Row]) -> int | None:
    """Return the column of the first number after two words: below a header, else in the first row."""
    looked_at = [*rows[1:LOOKED_AT], *rows[:1]]
    found = (at for _, cells in looked_at for at, cell in enumerate(cells) if at > 1 and is_finite_number(cell))
    return next(found, None)


# Cells
def read_required_cell(name: str, place: int, cells: list[str], at: int) -> str:
    """Return a required cell. Raise DataSetError if it is empty."""
    if at >= len(cells) or not cells[at]:
        raise at_fault(name, place, f"column {at + 1} is empty; all lines have the same columns")
    return cells[at]


def exactly(name: str, place: int, cells: list[str], number: int, what: str) -> list[str]:
    """Return the cells of a line with a required number of columns. Raise DataSetError, which says what they are."""
    if len(cells) != number or not all(cells):
        found = len([cell for cell in cells if cell])
        raise at_fault(name, place, f"{found} columns; a line has {number}: {what}")
    return cells


def refuse_uneven_lines(name: str, rows: Sequence[Row], what: str) -> None:
    """Raise DataSetError for a line without a header that has other columns than most. what: what these are."""
    usual = mode(len(cells) for _, cells in rows)
    for place, cells in rows:
        if len(cells) != usual:
            raise at_fault(name, place, f"{len(cells)} columns; most lines have {usual}: {what}")


def number_in(name: str, place: int, cell: str) -> float:
    """Return a rating. Raise DataSetError if it is not a number."""
    if not is_finite_number(cell):
        raise at_fault(name, place, f"{cell!r} is not a rating; a rating is a number")
    return float(cell)


def at_fault(name: str, place: int, what: str) -> DataSetError:
    """Return an error with file and line."""
    return DataSetError(f"{name}:{place}: {what}")


def is_finite_number(cell: str) -> bool:
    """Return whether a cell is a finite number."""
    try:
        return "_" not in cell and math.isfinite(float(cell))
    except ValueError:
        return False


def all_tags(rows: Sequence[Row], *places: int) -> bool:
    """Return whether these columns have parts of speech in all rows."""
    return all(tag_of_dataset(cell_at(cells, at)) for _, cells in rows for at in places)


def cell_at(cells: Sequence[str], at: int | None) -> str:
    """Return the text in a column, or ''."""
    return cells[at] if at is not None and at < len(cells) else ""


# Columns by their names
def below_head(rows: list[Row], column: str) -> list[Row]:
    """Return the rows without the header, if there is one."""
    return rows[1:] if column in (cell.lower() for cell in rows[0][1]) else rows


def columns_by_head(name: str, rows: list[Row], roles: Sequence[str]) -> tuple[dict[str, int], list[Row]]:
    """Return the column of each role: by the header, or without one in the order of the roles."""
    places = named_places(rows[0][1])
    if "landmark" not in places:
        return {role: at for at, role in enumerate(roles)}, rows
    for role in roles:
        if role not in places and role != "participant":
            raise at_fault(name, rows[0][0], f"no column has the name {' or '.join(sorted(NAMES[role]))}")
    return places, rows[1:]


def named_places(head: Sequence[str]) -> dict[str, int]:
    """Return the columns with known names."""
    return {role: at for at, cell in enumerate(head) for role, names in NAMES.items() if cell.lower() in names}


def name_of_word(head: str) -> str | None:
    """Return the role of a column's word in a sentence, e.g. subject1 or obj_2; None for other columns."""
    stem = re.sub(r"[\W_]*\d*$", "", head.lower())
    return next((word for word in SENTENCE if stem in NAMES[word] or stem.rstrip("s") in NAMES[word]), None)


def who(name: str, place: int, cells: list[str], places: dict[str, int]) -> str | None:
    """Return the participant, if there is a column for it."""
    return read_required_cell(name, place, cells, places["participant"]) if "participant" in places else None


# Parts of speech
def tag_of_dataset(text: str) -> str | None:
    """Return the tag for a data set's name of a part of speech; None for other text."""
    return TAGS.get(text.lower())


def has_tag(word: str) -> bool:
    """Return whether a word ends with its part of speech."""
    found = SUFFIX.fullmatch(word)
    return found is not None and tag_of_dataset(found[2]) is not None


def split_tag(word: str) -> str:
    """Return a word that ends with its part of speech, as a lexeme."""
    found = SUFFIX.fullmatch(word)
    return f"{found[1]}/{tag_of_dataset(found[2])}" if found else f"{word}/"


# Formats
PHRASES = {  # in Mitchell & Lapata 2010: the tags of the first word and of the second, the head; and their relation
    "adjectivenouns": ("ADJ", "NOUN", "amod"),
    "compoundnouns": ("NOUN", "NOUN", "compound"),
    "verbobjects": ("NOUN", "VERB", "obj"),
}
HILO = {"high", "low"}
OF_SENTENCE = 7  # columns of a rated sentence with a participant, and high or low
BOTH_TAGGED = 4  # the column of the score if each of two words has a tag
FIRST, SECOND = (re.compile(rf"(word|w|term|item|noun|verb|adj)[\W_]*{place}", re.IGNORECASE) for place in (1, 2))
LABELS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "1": 1.0, "0": 0.0}
COLUMNS = {  # of each format, without a header
    "ml2010": "participant, type, version, four words, rating",
    "ml2008": "verb, noun, landmark, rating",
    "word-pairs": "word, word, score",
    "verb-landmark": "verb, subject, object, landmark, rating",
    "sentence-pairs": "subject, verb, object, subject, verb, object, rating",
    "compounds": "dependent, head, three ratings",
    "graded-entailment": "word, word, score",
}
SHAPES = {  # without a header: a column is a word (w), two words (p), 0 or 1 (j), or another number (n)
    "compounds": re.compile("ww[nj]{3}|pj{2,}"),
    "verb-landmark": re.compile("w{4}[nj]"),
    "sentence-pairs": re.compile("w{6}[nj]"),
}


def recognised(name: str, rows: Sequence[Row]) -> str:
    """Return the format of a data set, by its header, or by the content or the shape of its lines.

    Raises DataSetError if neither is known, and for questions of multiple choice.
    """
    refuse_choices(name, rows)
    known = by_head(rows) or by_content(rows)
    if known is None:
        every = "; ".join(f"{format} ({columns})" for format, columns in COLUMNS.items())
        raise at_fault(
            name,
            rows[1][0],
            "unknown format: neither a header nor the content tells what the columns are; add a header, e.g. word1, "
            f"word2, score, or name the format: {every}",
        )
    return known


def refuse_choices(name: str, rows: Sequence[Row]) -> None:
    """Raise DataSetError for questions of multiple choice."""
    head = {cell.lower() for cell in rows[0][1]}
    body = [cells for _, cells in rows[1:LOOKED_AT]]
    tests = {
        "the MSR sentence completion challenge (sentences with a gap and five choices)": {"id", "question", "a)"}
        <= head,
        "a test of multiple choice (Turney 2012: a stem and seven choices)": all("|" in cells for cells in body),
    }
    for what, holds in tests.items():
        if holds:
            raise DataSetError(f"{name} is {what}, for aptdb eval choose; this takes pairs of words or phrases, rated")


def write_shape(cells: Sequence[str]) -> str:
    """Return the shape of a line, a letter for each column, as SHAPES has it."""
    return "".join(
        "j" if cell in {"0", "1"} else "n" if is_finite_number(cell) else "p" if len(cell.split()) == 2 else "w"  # noqa: PLR2004
        for cell in cells
    )


def mostly(found: Iterable[bool]) -> bool:
    """Return whether at least half of some values are true."""
    values = [*found]
    return 2 * sum(values) >= len(values)


def are_shaped(rows: Sequence[Row], format: str) -> bool:
    """Return whether most lines have the shape of a format without a header."""
    return mostly(SHAPES[format].fullmatch(write_shape(cells)) is not None for _, cells in rows[:LOOKED_AT])


def are_judged(rows: Sequence[Row]) -> bool:
    """Return whether most lines are a compound, as two words in a column, and what each judge says of it: 0 or 1."""
    return mostly(write_shape(cells)[:2] == "pj" for _, cells in rows[:LOOKED_AT])


def note_shape(name: str, rows: Sequence[Row], format: str) -> None:
    """Warn how lines are read of which only the shape tells what they are."""
    if by_head(rows) or format not in SHAPES or not are_shaped(rows, format):
        return
    if format != "compounds":
        read = f"{COLUMNS[format]}; where they are anything else, name the format"
    elif are_judged(rows):
        read = "a compound and judgements, whose mean is its rating, as given: where 1 is not literal, expect ρ below 0"
    else:
        return
    warn(f"{name} has no header; a line is read as {read}", InterpretationWarning)


def by_head(rows: Sequence[Row]) -> str | None:
    """Return the format by the header; None if there is none, or if it is unknown."""
    head = [cell.lower() for cell in rows[0][1]]
    if "s1lemma1" in head:
        return "ml2010"
    if "landmark" in head:
        return "verb-landmark" if NAMES["object"] & {*head} else "ml2008"
    if [name_of_word(cell) for cell in head if name_of_word(cell)] == [*SENTENCE, *SENTENCE]:
        return "sentence-pairs"
    if not any(FIRST.fullmatch(cell) for cell in head):
        return None
    labels = {cell_at(cells, head.index("label")).lower() for _, cells in rows[1:]} if "label" in head else set()
    return "entailment" if labels and labels <= LABELS.keys() else "word-pairs"


def by_content(rows: Sequence[Row]) -> str | None:
    """Return the format by the content: names of types, tags, high and low, participants, or the shape of lines.

    Four words and a number are a sentence with a landmark, and six are two sentences.
    """
    cells = rows[1][1]
    if are_shaped(rows, "compounds"):
        return "compounds"
    if len(cells) > 1 and cells[1] in PHRASES:
        return "ml2010"
    # The first of five columns may have participants, who have digits: participant20.
    has_participants = mostly(len(row) == 5 and bool(re.search(r"\d", row[0])) for _, row in rows[1:])  # noqa: PLR2004
    if cells[-1].lower() in HILO or has_participants:
        return "ml2008" if len(cells) < OF_SENTENCE else "verb-landmark"
    if have_two_tags(rows):
        return "word-pairs"
    return next((each for each in SHAPES if are_shaped(rows, each)), "word-pairs" if have_pairs(rows) else None)


def have_pairs(rows: Sequence[Row]) -> bool:
    """Return whether rows are two words and a number, perhaps with their part of speech, and no other number."""
    cells = [cells for _, cells in rows[:LOOKED_AT]]
    numbers = {at for row in cells for at, cell in enumerate(row) if is_finite_number(cell)}
    return numbers == {2} or (numbers == {3} and any(tag_of_dataset(cell_at(row, 2)) for row in cells))


def have_two_tags(rows: Sequence[Row]) -> bool:
    """Return whether each row below the header has two words, with a tag after each or after both, then a number."""
    numbered = all(is_finite_number(cell_at(cells, BOTH_TAGGED)) for _, cells in rows[1:])
    return numbered and (all_tags(rows[1:], 1, 3) or all_tags(rows[1:], 2, 3))
