"""Data sets of human judgements: their formats, and their pairs of words or phrases with ratings."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import DataSetError, InterpretationWarning, PhraseError, warn
from aptdb.core.phrase import Phrase
from aptdb.evaluation.dataset_columns import (
    BOTH_TAGGED,
    COLUMNS,
    FIRST,
    LABELS,
    PHRASES,
    SECOND,
    SENTENCE,
    SHAPES,
    Row,
    all_tags,
    are_judged,
    at_fault,
    below_head,
    bytes_of,
    cell_at,
    columns_by_head,
    cut_lines,
    exactly,
    first_number,
    has_tag,
    is_finite_number,
    name_of_word,
    name_source,
    named_places,
    note_shape,
    number_in,
    read_required_cell,
    recognised,
    refuse_uneven_lines,
    split_tag,
    tag_of_dataset,
    who,
    write_shape,
)

RELATIONS = {"amod", "compound", "obj", "nsubj"}  # of Universal Dependencies, in all formats together
HEAD = re.compile(r"word|^w\W?[12]|score|rating|human|mean|sim|relat|gold|judg|value|^pos$|.[12]$", re.IGNORECASE)
POS = re.compile(r"^pos|^tag|part.?of.?speech", re.IGNORECASE)
TWO_TAGS = re.compile(r"[A-Za-z]+-[A-Za-z]+")
SCORE = re.compile(
    r"((avg|average|mean|relatedness|similarity)[\W_]*)?(score|rating|judge?ment)|gold|similarity|relatedness|mean|human.*|simlex.*|value",
    re.IGNORECASE,
)
PAIR = {"one": FIRST, "two": SECOND, "score": SCORE}
WORDS = ("one", "two")
OF_COMPOUND = ("dependent", "head", "compound")  # what is rated of a compound

Rating = tuple[str | None, float]  # who gave it, if known, and the number
Judged = tuple[str, Phrase, Phrase, Rating]  # part, the two sides that are compared, a rating


# The formats
def of_ml2010(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Yield the items of Mitchell & Lapata 2010: participant, type, version, two phrases of two words, rating.

    In *verbobjects* the object comes first.
    """
    for place, cells in below_head(rows, "type"):
        participant, kind, _version, *words, rating = exactly(name, place, cells, 8, COLUMNS["ml2010"])
        if kind not in PHRASES:
            raise at_fault(name, place, f"{kind!r} is not a type; expected {', '.join(PHRASES)}")
        first, second, relation = PHRASES[kind]
        a, b = (phrase(f"{two}/{second}", (relation, f"{one}/{first}")) for one, two in (words[:2], words[2:]))
        yield kind, a, b, (participant, number_in(name, place, rating))


def of_ml2008(name: str, rows: list[Row], in_context: bool) -> Iterator[Judged]:
    """Yield items of Mitchell & Lapata 2008: participant, verb, subject, landmark, rating, high or low."""
    roles = ("verb", "subject", "landmark", "rating")
    places, body = columns_by_head(name, rows, ("participant", *roles))
    for place, cells in body:
        verb, noun, landmark, rating = (read_required_cell(name, place, cells, places[role]) for role in roles)
        subject = ("nsubj", f"{noun}/NOUN")
        a, b = phrase(f"{verb}/VERB", subject), phrase(f"{landmark}/VERB", *([subject] if in_context else []))
        yield "all", a, b, (who(name, place, cells, places), number_in(name, place, rating))


def of_verb_landmark(name: str, rows: list[Row], in_context: bool) -> Iterator[Judged]:
    """Yield transitive sentences and a landmark: verb, subject, object, landmark, rating; a header may name more."""
    roles = ("verb", "subject", "object", "landmark", "rating")
    before = ("participant",) if first_number(rows) == len(roles) else ()
    places, body = columns_by_head(name, rows, (*before, *roles))
    if body is rows:
        refuse_uneven_lines(name, rows, COLUMNS["verb-landmark"])
    for place, cells in body:
        verb, subject, object_, landmark, rating = (
            read_required_cell(name, place, cells, places[role]) for role in roles
        )
        around = (("nsubj", f"{subject}/NOUN"), ("obj", f"{object_}/NOUN"))
        a, b = phrase(f"{verb}/VERB", *around), phrase(f"{landmark}/VERB", *(around if in_context else ()))
        yield "all", a, b, (who(name, place, cells, places), number_in(name, place, rating))


def of_sentence_pairs(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Yield two transitive sentences: subject, verb, object, subject, verb, object, rating; a header may name more."""
    head = [name_of_word(cell) for cell in rows[0][1]]
    if [word for word in head if word] == [*SENTENCE, *SENTENCE]:
        words = [place for place, word in enumerate(head) if word]
        places = named_places(rows[0][1])
        if "rating" not in places:
            raise at_fault(name, rows[0][0], "no column has the name rating, score or input")
        body, last = rows[1:], places["rating"]
    else:
        words, places, last = [*range(6)], {}, 6
        body = below_names(name, rows, last)
        refuse_uneven_lines(name, body, COLUMNS["sentence-pairs"])
    for place, cells in body:
        six = [read_required_cell(name, place, cells, at) for at in words]
        a, b = (
            phrase(f"{verb}/VERB", ("nsubj", f"{subject}/NOUN"), ("obj", f"{object_}/NOUN"))
            for subject, verb, object_ in (six[:3], six[3:])
        )
        yield (
            "all",
            a,
            b,
            (who(name, place, cells, places), number_in(name, place, read_required_cell(name, place, cells, last))),
        )


def of_word_pairs(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Yield two words and a score, the first number after them; or in columns that a header names.

    A column between the words and the score, or after it, may have the part of speech of both. That of each word may
    stand after the word, after both words, or in a suffix that all words have: -n, _n, /NOUN. A phrase may stand for a
    word: in brackets, or as words that the lexicon reads later.
    """
    columns, body = pair_columns(name, rows)
    tagged = columns["pos"] is not None
    every = [cell_at(cells, columns[which]) for _, cells in body for which in WORDS]
    suffixed = not tagged and all_have_tags(name, [each for each in every if not is_phrase(each)])
    for place, cells in body:
        rating = (None, number_in(name, place, read_required_cell(name, place, cells, columns["score"] or 0)))
        words = [read_required_cell(name, place, cells, columns[which] or 0) for which in WORDS]
        tags = [tag_in(name, place, cells, columns[which]) if tagged else "" for which in ("pos", "pos2")]
        a, b = (
            parse_bracketed(name, place, word)
            if word.endswith("]")
            else Phrase(split_tag(word) if suffixed and not is_phrase(word) else f"{word}/{tag}")
            for word, tag in zip(words, tags, strict=True)
        )
        yield tags[0] if tags[0] == tags[1] and tags[0] else "all", a, b, rating


def of_entailment(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Yield pairs of words and whether the first entails the second: word1, word2, label, and perhaps fold.

    A label is true or false, yes or no, 1 or 0; the fold is the part.
    """
    columns, body = [cell.lower() for cell in rows[0][1]], rows[1:]
    if "label" not in columns or not all(find_column(kind, columns) is not None for kind in (FIRST, SECOND)):
        raise at_fault(name, rows[0][0], "expected a header with the columns word1, word2, label and perhaps fold")
    refuse_uneven(name, rows)
    words = [find_column(kind, columns) or 0 for kind in (FIRST, SECOND)]
    suffixed = all_have_tags(name, [cell_at(cells, at) for _, cells in body for at in words])
    for place, cells in body:
        label = read_required_cell(name, place, cells, columns.index("label"))
        if label.lower() not in LABELS:
            raise at_fault(name, place, f"{label!r} is not a label; expected {', '.join(LABELS)}")
        each = [read_required_cell(name, place, cells, at) for at in words]
        a, b = (Phrase(split_tag(word) if suffixed else f"{word}/") for word in each)
        part = read_required_cell(name, place, cells, columns.index("fold")) if "fold" in columns else "all"
        yield part, a, b, (None, LABELS[label.lower()])


def of_compounds(name: str, rows: list[Row], _: bool) -> Iterator[Judged]:
    """Yield compounds of two nouns and how literal they are: dependent, head, and a rating of each and of both.

    The ratings are parts of their own. Each compound is compared with itself, as it is observed. Or a compound in one
    column and judgements, each 0 or 1, which rate the whole.
    """
    judged = are_judged(rows)
    if judged:
        refuse_uneven_lines(name, rows, "a compound and judgements, each 0 or 1")
    for place, cells in rows:
        if judged:
            yield from of_judged_compound(name, place, cells)
            continue
        if not SHAPES["compounds"].fullmatch(write_shape(cells)):
            raise at_fault(name, place, "expected two words and three ratings: of the first, of the second, of both")
        compound = phrase(f"{cells[1]}/NOUN", ("compound", f"{cells[0]}/NOUN"))
        for part, rating in zip(OF_COMPOUND, cells[2:], strict=True):
            yield part, compound, compound, (None, number_in(name, place, rating))


def of_judged_compound(name: str, place: int, cells: list[str]) -> Iterator[Judged]:
    """Yield the judgements of a compound. Raise DataSetError."""
    if not SHAPES["compounds"].fullmatch(write_shape(cells)):
        raise at_fault(name, place, f"expected two words and judgements, each 0 or 1; found {', '.join(cells):.80}")
    dependent, head = cells[0].split()
    compound = phrase(f"{head}/NOUN", ("compound", f"{dependent}/NOUN"))
    for judge, cell in enumerate(cells[1:], 1):
        yield "compound", compound, compound, (str(judge), float(cell))


FORMATS: dict[str, Callable[[str, list[Row], bool], Iterator[Judged]]] = {
    "ml2010": of_ml2010,
    "ml2008": of_ml2008,
    "word-pairs": of_word_pairs,
    "verb-landmark": of_verb_landmark,
    "sentence-pairs": of_sentence_pairs,
    "entailment": of_entailment,
    "graded-entailment": of_word_pairs,
    "compounds": of_compounds,
}
WITH_LANDMARK = ("ml2008", "verb-landmark")


def phrase(head: str, *dependents: tuple[str, str]) -> Phrase:
    """Return a word with its dependents, numbered as they are written."""
    return Phrase(head, tuple((relation, Phrase(word, (), at)) for at, (relation, word) in enumerate(dependents, 2)))


def is_phrase(word: str) -> bool:
    """Return whether this is a phrase, in brackets or as typed, and not a word."""
    return word.endswith("]") or len(word.split()) > 1


def parse_bracketed(name: str, place: int, text: str) -> Phrase:
    """Return a phrase in brackets. Raise DataSetError."""
    try:
        found = Phrase.parse(text)
    except PhraseError as error:
        raise at_fault(name, place, str(error)) from error
    if bare := next((word["lexeme"] for word in found.words() if "/" not in str(word["lexeme"])), None):
        raise at_fault(name, place, f"{bare} has no part of speech; a phrase in brackets is as year/NOUN[amod new/ADJ]")
    return found


def pair_columns(name: str, rows: list[Row]) -> tuple[dict[str, int | None], list[Row]]:
    """Return the columns of words, parts of speech (None: nowhere) and score; and the rows below the header.

    Raises DataSetError if the first row is neither a header nor like the others.
    """
    head = rows[0][1]
    named = {which: find_column(kind, head) for which, kind in PAIR.items()}
    if named["one"] is None or named["two"] is None:
        score = first_number(rows) or 2
        body = below_names(name, rows, score)
        return {"one": 0, "two": 1, "score": score, "pos": None, "pos2": None} | places_of_tags(body, score), body
    body, words = rows[1:], {named["one"], named["two"]}
    refuse_uneven(name, rows)
    tags = [at for at, cell in enumerate(head) if POS.search(cell) and at not in words]
    if of_phrases := [at for at in tags if all(TWO_TAGS.fullmatch(cell_at(cells, at)) for _, cells in body)]:
        said = f"without {head[of_phrases[0]]}, which has the tags of two words at once"
        warn(
            f"{name} is read as pairs, by its header: {head[named['one']]}, {head[named['two']]}; {said}",
            InterpretationWarning,
        )
        tags = [at for at in tags if at not in of_phrases]
    named["score"] = score_column(name, rows, {*words, *tags})
    placed = {"pos": tags[0], "pos2": tags[-1]} if tags else {"pos": None, "pos2": None}
    return {**named, **placed}, body


def refuse_uneven(name: str, rows: list[Row]) -> None:
    """Raise DataSetError if two columns have the same name, or a row has more columns than the header."""
    place, head = rows[0]
    names = [cell.lower() for cell in head if cell]
    if twice := next((cell for cell in names if names.count(cell) > 1), None):
        raise at_fault(name, place, f"two columns are called {twice}; give each column a name of its own")
    for place, cells in rows[1:]:
        if any(cells[len(head) :]):
            raise at_fault(name, place, f"{len(cells)} columns, but the header has {len(head)}")


def score_column(name: str, rows: list[Row], others: set[int | None]) -> int:
    """Return the column of the ratings: by its name in the header, or the only one with numbers.

    others: the columns of words and tags. Raises DataSetError if several columns are possible.
    """
    place, head = rows[0]
    free = [at for at in range(len(head)) if at not in others]
    found = [at for at in free if SCORE.fullmatch(head[at])]
    found = found or [at for at in free if is_finite_number(cell_at(rows[1][1], at))]
    if len(found) > 1:
        several = ", ".join(head[at] for at in found)
        raise at_fault(name, place, f"any of these may be the rating: {several}; rename one to score")
    return found[0] if found else len(head) - 1


def find_column(kind: re.Pattern[str], head: Sequence[str]) -> int | None:
    """Return the first column in a header with such a name."""
    return next((at for at, cell in enumerate(head) if kind.fullmatch(cell)), None)


def places_of_tags(rows: Sequence[Row], score: int) -> dict[str, int | None]:
    """Return the columns of the parts of speech, {} without any; each row begins with two words, below no header."""
    if score == BOTH_TAGGED:
        return {"two": 2, "pos": 1, "pos2": 3} if all_tags(rows, 1, 3) else {"pos": 2, "pos2": 3}
    if score == BOTH_TAGGED - 1:
        return {"pos": 2, "pos2": 2}
    return {"pos": score + 1, "pos2": score + 1} if all_tags(rows, score + 1) else {}


def tag_in(name: str, place: int, cells: list[str], at: int | None) -> str:
    """Return the part of speech in a column. Raise DataSetError for other text."""
    text = read_required_cell(name, place, cells, at or 0)
    tag = tag_of_dataset(text)
    if tag is None:
        raise at_fault(name, place, f"{text!r} is not a part of speech; expected n, v, a, r, or a tag, e.g. NOUN")
    return tag


def below_names(name: str, rows: list[Row], score: int) -> list[Row]:
    """Return the rows of pairs, without a header. Raise DataSetError if the first row is neither."""
    place, cells = rows[0]
    if is_finite_number(cell_at(cells, score)):
        return rows
    if not any(HEAD.search(cell) for cell in cells):
        raise at_fault(name, place, f"{cells[-1]!r} is not a rating, and this is not a header like word1, word2, score")
    return rows[1:]


def all_have_tags(name: str, words: Sequence[str]) -> bool:
    """Return whether all words end with their part of speech. Raise DataSetError if most do, but not all."""
    bare = [word for word in words if not has_tag(word)]
    if bare and len(bare) < len(words) / 2:
        raise DataSetError(f"{name}: {bare[0]!r} has no part of speech, but most words here do, e.g. dog-n or dog/NOUN")
    return not bare


@dataclass(frozen=True)
class Item:
    """Two words or phrases that people compared, and their ratings.

    The lexemes are the words of the data set with the tags of Universal Dependencies, e.g. knowledge/NOUN. A word
    without a part of speech is a lexeme that ends with the slash. Relations are those of Universal Dependencies.
    """

    part: str
    a: Phrase
    b: Phrase
    ratings: tuple[Rating, ...]


@dataclass(frozen=True)
class DataSet:
    """A data set: its name, its format, and its items in order.

    sha256: the digest of its file's bytes, or of its items if it was not read from a file.
    """

    name: str
    format: str
    items: tuple[Item, ...]
    sha256: str = ""
    landmark_in_context: bool = False

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", hashlib.sha256(repr(self.items).encode()).hexdigest())

    def parts(self) -> list[str]:
        """Return the parts of the data set; for Mitchell & Lapata 2010 in the paper's order."""
        parts = dict.fromkeys(item.part for item in self.items)
        return [*(part for part in PHRASES if part in parts), *(part for part in parts if part not in PHRASES)]

    def has_phrases(self) -> bool:
        """Return whether an item is a phrase."""
        return any(side.dependents or is_phrase(side.lexeme) for item in self.items for side in (item.a, item.b))

    def has_untagged(self) -> bool:
        """Return whether some word has no part of speech."""
        return any(side.lexeme.endswith("/") for item in self.items for side in (item.a, item.b))

    def has_participants(self) -> bool:
        """Return whether ratings have participants."""
        return all(who is not None for item in self.items for who, _ in item.ratings)


def read_dataset(source: str | Path, *, format: str | None = None, landmark_in_context: bool = False) -> DataSet:
    """Read a data set; `-` is standard input.

    format: one of FORMATS; None: recognised by the header or the columns. landmark_in_context:
    compare a landmark as a phrase, with the other words of its verb. Raises DataSetError, as file:line if a line is
    wrong.
    """
    if format is not None and format not in FORMATS:
        raise DataSetError(f"format is {format!r}; expected {', '.join(FORMATS)}")
    content = bytes_of(source)
    called = name_source(source)
    rows = cut_lines(called, content)
    chosen = format or recognised(called, rows)
    if landmark_in_context and chosen not in WITH_LANDMARK:
        raise DataSetError(f"{called} has no landmarks, its format is {chosen}; leave out landmark_in_context")
    items = tuple(gathered(FORMATS[chosen](called, rows, landmark_in_context)))
    if format is None:
        note_shape(called, rows, chosen)
    return DataSet(called, chosen, items, hashlib.sha256(content).hexdigest(), landmark_in_context)


def gathered(judged: Iterator[Judged]) -> Iterator[Item]:
    """Return one item for all ratings of the same pair in the same part."""
    found: dict[tuple[str, Phrase, Phrase], list[Rating]] = {}
    for part, a, b, rating in judged:
        found.setdefault((part, a, b), []).append(rating)
    return (Item(*key, tuple(ratings)) for key, ratings in found.items())
