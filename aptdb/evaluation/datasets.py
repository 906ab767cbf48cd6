"""Data sets of human judgements: pairs of words or phrases, each with the ratings that people gave it."""

import csv
import hashlib
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aptdb.errors import DataSetError
from aptdb.phrase import Phrase

NAMES = {  # of columns in a header, by what they hold
    "participant": {"participant", "subject_id", "annotator", "annotator_id", "rater", "worker"},
    "verb": {"verb"},
    "subject": {"subject", "subj", "noun"},
    "object": {"object", "obj"},
    "landmark": {"landmark"},
    "rating": {"input", "rating", "score", "annotator_score", "similarity"},
}
PHRASES = {  # of Mitchell & Lapata 2010: the tags of the first and the second word, and which is the head along what
    "adjectivenouns": ("ADJ", "NOUN", "amod"),
    "compoundnouns": ("NOUN", "NOUN", "compound"),
    "verbobjects": ("NOUN", "VERB", "obj"),
}
TAGS = {  # by how data sets call them
    **dict.fromkeys(("n", "nn", "noun"), "NOUN"),
    **dict.fromkeys(("v", "vb", "verb"), "VERB"),
    **dict.fromkeys(("a", "j", "jj", "adj", "adjective"), "ADJ"),
    **dict.fromkeys(("r", "rb", "adv", "adverb"), "ADV"),
    **{tag.lower(): tag for tag in ("PROPN", "PRON", "NUM", "ADP", "DET", "INTJ")},
}
SUFFIX = re.compile(r"(.+)[-/_]([A-Za-z]+)")
HILO = {"high", "low"}

Rating = tuple[str | None, float]  # who gave it, where that is told, and the number
Row = tuple[int, list[str]]  # a line by its number, cut into its columns
Judged = tuple[str, Phrase, Phrase, Rating]  # part, the two that are compared, a rating


@dataclass(frozen=True)
class Item:
    """Two words or phrases that people compared, and their ratings.

    The lexemes are the data set's words with Universal Dependencies' tags, as knowledge/NOUN; a word whose part of
    speech is not told ends with the slash. Relations are Universal Dependencies' too.
    """

    part: str
    a: Phrase
    b: Phrase
    ratings: tuple[Rating, ...]


@dataclass(frozen=True)
class DataSet:
    """A data set of a name and a form, with its items in their order, and the sha256 of its bytes."""

    name: str
    form: str
    items: tuple[Item, ...]
    sha256: str
    landmark_in_context: bool = False

    def parts(self) -> list[str]:
        """The parts that its items are of; those of Mitchell & Lapata 2010 in the paper's order."""
        parts = dict.fromkeys(item.part for item in self.items)
        return [*(part for part in PHRASES if part in parts), *(part for part in parts if part not in PHRASES)]

    def has_phrases(self) -> bool:
        """Whether anything is composed."""
        return any(side.dependents for item in self.items for side in (item.a, item.b))

    def has_participants(self) -> bool:
        """Whether it is told who gave each rating."""
        return all(who is not None for item in self.items for who, _ in item.ratings)


def read_dataset(
    source: str | Path, *, form: str | None = None, name: str | None = None, landmark_in_context: bool = False
) -> DataSet:
    """Read a data set; `-` is standard input.

    form: one of FORMS; None: it is recognised by its header, or by its columns. landmark_in_context: a landmark is
    compared as a phrase, with the other words of its verb. Raises DataSetError, as file:line where a line is at fault.
    """
    if form is not None and form not in FORMS:
        raise DataSetError(f"form is {form!r}; it is {', '.join(FORMS)}")
    content = bytes_of(source)
    called = name or ("stdin" if str(source) == "-" else Path(source).name)
    rows = rows_of(called, content)
    chosen = form or recognised(called, rows)
    if landmark_in_context and chosen not in WITH_LANDMARK:
        raise DataSetError(f"{called} has no landmarks, it is of the form {chosen}; leave out landmark_in_context")
    judged = FORMS[chosen](called, rows, landmark_in_context)
    return DataSet(called, chosen, tuple(gathered(judged)), hashlib.sha256(content).hexdigest(), landmark_in_context)


def bytes_of(source: str | Path) -> bytes:
    """The content of a file, or of standard input. Raises DataSetError."""
    try:
        return sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataSetError(f"{source} cannot be read: {error.strerror}") from error


def rows_of(name: str, content: bytes) -> list[Row]:
    """The lines that hold something, cut at tabs, at commas or semicolons, or at spaces, as the first of them is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataSetError(f"{name} is not UTF-8 at byte {error.start}; save it as UTF-8") from error
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if len(lines) < 2:  # noqa: PLR2004
        raise DataSetError(f"{name}: {len(lines)} lines with something in them; a data set has a line for each rating")
    cut = next((mark for mark in "\t,;" if lines[0][1].count(mark) >= 2), None)  # noqa: PLR2004
    if cut is None:
        return [(number, line.split()) for number, line in lines]
    return [(number, [cell.strip() for cell in next(csv.reader([line], delimiter=cut))]) for number, line in lines]


def recognised(name: str, rows: Sequence[Row]) -> str:
    """The form of a data set, by its header, or by its columns where it has none. Raises DataSetError."""
    head, cells = [cell.lower() for cell in rows[0][1]], rows[1][1]
    if "s1lemma1" in head or (len(cells) == 8 and cells[1] in PHRASES):  # noqa: PLR2004
        return "ml2010"
    if "landmark" in head:
        return "verb-landmark" if NAMES["object"] & {*head} else "ml2008"
    if len(cells) == 6 and cells[5] in HILO:  # noqa: PLR2004
        return "ml2008"
    if [name_of_word(cell) for cell in head if name_of_word(cell)] == [*SENTENCE, *SENTENCE]:
        return "sentence-pairs"
    by_place = {2: "word-pairs", 3: "word-pairs", 4: "verb-landmark", 6: "sentence-pairs"}
    place = first_number(rows)
    if place not in by_place:
        raise DataSetError(
            f"{name}:{rows[1][0]}: no data set is known by these columns; say which it is: {', '.join(FORMS)}"
        )
    return by_place[place]


def first_number(rows: Sequence[Row]) -> int | None:
    """Where the first number stands after two words: in the second row, or in the first if the second has none."""
    found = (at for _, cells in reversed(rows[:2]) for at, cell in enumerate(cells) if at > 1 and is_number(cell))
    return next(found, None)


SENTENCE = ("subject", "verb", "object")


def name_of_word(head: str) -> str | None:
    """Which word of a sentence a column holds, as subject1 or obj_2 call it; None for another column."""
    stem = re.sub(r"[\W_]*\d*$", "", head.lower())
    return next((word for word in SENTENCE if stem in NAMES[word] or stem.rstrip("s") in NAMES[word]), None)


def gathered(judged: Iterator[Judged]) -> Iterator[Item]:
    """Ratings of the same two, in the same part, as one item."""
    found: dict[tuple[str, Phrase, Phrase], list[Rating]] = {}
    for part, a, b, rating in judged:
        found.setdefault((part, a, b), []).append(rating)
    return (Item(*key, tuple(ratings)) for key, ratings in found.items())


# The forms
def of_ml2010(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Mitchell & Lapata 2010: participant, type, version, two phrases of two words, rating.

    Of *verbobjects* the object stands first.
    """
    for place, cells in below_head(rows, "type"):
        participant, kind, _version, *words, rating = exactly(name, place, cells, 8)
        if kind not in PHRASES:
            raise at_fault(name, place, f"{kind!r} is no type; it is {', '.join(PHRASES)}")
        first, second, relation = PHRASES[kind]
        a, b = (phrase(f"{two}/{second}", (relation, f"{one}/{first}")) for one, two in (words[:2], words[2:]))
        yield kind, a, b, (participant, number_in(name, place, rating))


def of_ml2008(name: str, rows: list[Row], in_context: bool) -> Iterator[Judged]:
    """Mitchell & Lapata 2008: participant, verb, its subject, landmark, rating, and what it was to be, high or low."""
    for place, cells in below_head(rows, "landmark"):
        participant, verb, noun, landmark, rating = exactly(name, place, cells, 6, 5)[:5]
        subject = ("nsubj", f"{noun}/NOUN")
        a, b = phrase(f"{verb}/VERB", subject), phrase(f"{landmark}/VERB", *([subject] if in_context else []))
        yield "all", a, b, (participant, number_in(name, place, rating))


def of_verb_landmark(name: str, rows: list[Row], in_context: bool) -> Iterator[Judged]:
    """Transitive sentences and a landmark: verb, subject, object, landmark, rating; more columns where a head names."""
    roles = ("verb", "subject", "object", "landmark", "rating")
    places, body = columns_by_head(name, rows, roles)
    for place, cells in body:
        verb, subject, object_, landmark, rating = (cell_of(name, place, cells, places[role]) for role in roles)
        around = (("nsubj", f"{subject}/NOUN"), ("obj", f"{object_}/NOUN"))
        a, b = phrase(f"{verb}/VERB", *around), phrase(f"{landmark}/VERB", *(around if in_context else ()))
        yield "all", a, b, (who(name, place, cells, places), number_in(name, place, rating))


def of_sentence_pairs(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Two transitive sentences: subject, verb, object, subject, verb, object, rating; more columns as a head names."""
    head = [name_of_word(cell) for cell in rows[0][1]]
    if [word for word in head if word] == [*SENTENCE, *SENTENCE]:
        words = [place for place, word in enumerate(head) if word]
        places = named_places(rows[0][1])
        if "rating" not in places:
            raise at_fault(name, rows[0][0], "no column is called rating, score or input")
        body, last = rows[1:], places["rating"]
    else:
        words, places, last = [*range(6)], {}, 6
        body = rows if is_number(cell_of(name, rows[0][0], rows[0][1], last)) else rows[1:]
    for place, cells in body:
        six = [cell_of(name, place, cells, at) for at in words]
        a, b = (
            phrase(f"{verb}/VERB", ("nsubj", f"{subject}/NOUN"), ("obj", f"{object_}/NOUN"))
            for subject, verb, object_ in (six[:3], six[3:])
        )
        yield "all", a, b, (who(name, place, cells, places), number_in(name, place, cell_of(name, place, cells, last)))


def of_word_pairs(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Two words and a score, the first number after them.

    What stands between is their part of speech, which may also be a suffix that all words have: -n, _n, /NOUN.
    """
    score = first_number(rows) or 2
    body = rows[1:] if first_number(rows[:1]) != score else rows  # a head may have numbers too, of participants
    suffixed = all(has_tag(word) for _, cells in body for word in cells[:2])
    for place, cells in body:
        rating = (None, number_in(name, place, cell_of(name, place, cells, score)))
        words = [cell_of(name, place, cells, at) for at in (0, 1)]
        tag = tag_of(cells[2]) if score > 2 else ""  # noqa: PLR2004
        if tag is None:
            raise at_fault(name, place, f"{cells[2]!r} is no part of speech; it is n, v, a, r, or as NOUN")
        a, b = (Phrase(split_tag(word) if suffixed and not tag else f"{word}/{tag}") for word in words)
        yield tag or "all", a, b, rating


FORMS: dict[str, Callable[[str, list[Row], bool], Iterator[Judged]]] = {
    "ml2010": of_ml2010,
    "ml2008": of_ml2008,
    "word-pairs": of_word_pairs,
    "verb-landmark": of_verb_landmark,
    "sentence-pairs": of_sentence_pairs,
}
WITH_LANDMARK = {"ml2008", "verb-landmark"}


# What they have in common
def phrase(head: str, *dependents: tuple[str, str]) -> Phrase:
    """A word with others that hang from it, numbered as they are written."""
    return Phrase(head, tuple((relation, Phrase(word, (), at)) for at, (relation, word) in enumerate(dependents, 2)))


def below_head(rows: list[Row], column: str) -> list[Row]:
    """The rows without the first where that names the columns."""
    return rows[1:] if column in (cell.lower() for cell in rows[0][1]) else rows


def columns_by_head(name: str, rows: list[Row], roles: Sequence[str]) -> tuple[dict[str, int], list[Row]]:
    """Where each role stands, as the first row names it, or in the order of the roles where it names none."""
    places = named_places(rows[0][1])
    if "landmark" not in places:
        return {role: at for at, role in enumerate(roles)}, rows
    for role in roles:
        if role not in places:
            raise at_fault(name, rows[0][0], f"no column is called {' or '.join(sorted(NAMES[role]))}")
    return places, rows[1:]


def named_places(head: Sequence[str]) -> dict[str, int]:
    """Where the columns stand whose names are known."""
    return {role: at for at, cell in enumerate(head) for role, names in NAMES.items() if cell.lower() in names}


def who(name: str, place: int, cells: list[str], places: dict[str, int]) -> str | None:
    """The participant, where a column names them."""
    return cell_of(name, place, cells, places["participant"]) if "participant" in places else None


def exactly(name: str, place: int, cells: list[str], *numbers: int) -> list[str]:
    """The cells of a line, which are to be so many. Raises DataSetError."""
    if len(cells) not in numbers or not all(cells):
        raise at_fault(name, place, f"{len([cell for cell in cells if cell])} columns; there are {numbers[0]}")
    return cells


def cell_of(name: str, place: int, cells: list[str], at: int) -> str:
    """A cell, which is to be there. Raises DataSetError."""
    if at >= len(cells) or not cells[at]:
        raise at_fault(name, place, f"nothing in column {at + 1}; each line has as much as the first")
    return cells[at]


def number_in(name: str, place: int, cell: str) -> float:
    """A rating. Raises DataSetError where it is none."""
    if not is_number(cell):
        raise at_fault(name, place, f"{cell!r} is no rating; a rating is a number")
    return float(cell)


def at_fault(name: str, place: int, what: str) -> DataSetError:
    """An error at a line."""
    return DataSetError(f"{name}:{place}: {what}")


def is_number(cell: str) -> bool:
    """Whether a cell is a number that is finite."""
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def tag_of(text: str) -> str | None:
    """The tag that a data set's name for a part of speech means; None where it is none."""
    return TAGS.get(text.lower())


def has_tag(word: str) -> bool:
    """Whether a word ends with its part of speech."""
    found = SUFFIX.fullmatch(word)
    return found is not None and tag_of(found[2]) is not None


def split_tag(word: str) -> str:
    """A word that ends with its part of speech, as a lexeme."""
    found = SUFFIX.fullmatch(word)
    return f"{found[1]}/{tag_of(found[2])}" if found else f"{word}/"
