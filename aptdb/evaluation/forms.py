"""The forms that data sets have: recognised, and read into what is judged."""

import re
from collections.abc import Callable, Iterator, Sequence

from aptdb.evaluation.columns import (
    NAMES,
    SENTENCE,
    Row,
    at_fault,
    below_head,
    cell_of,
    columns_by_head,
    exactly,
    first_number,
    has_tag,
    is_number,
    name_of_word,
    named_places,
    number_in,
    split_tag,
    tag_of,
    who,
)
from aptdb.phrase import Phrase

PHRASES = {  # of Mitchell & Lapata 2010: the tags of the first and the second word, and which is the head along what
    "adjectivenouns": ("ADJ", "NOUN", "amod"),
    "compoundnouns": ("NOUN", "NOUN", "compound"),
    "verbobjects": ("NOUN", "VERB", "obj"),
}
RELATIONS = {"amod", "compound", "obj", "nsubj"}  # of Universal Dependencies, in all forms together
HILO = {"high", "low"}
OF_SENTENCE = 7  # columns of a rated sentence with its participant, and high or low
HEAD = re.compile(r"word|^w\W?[12]|score|rating|human|mean|sim|relat|gold|judg|value|^pos$|.[12]$", re.IGNORECASE)
FIRST, SECOND = (re.compile(rf"(word|w|item|noun|verb|adj)[\W_]*{place}", re.IGNORECASE) for place in (1, 2))

Rating = tuple[str | None, float]  # who gave it, where that is told, and the number
Judged = tuple[str, Phrase, Phrase, Rating]  # part, the two that are compared, a rating


def recognised(name: str, rows: Sequence[Row]) -> str:
    """The form of a data set, by its header, or by its columns where it has none. Raises DataSetError."""
    known = by_head(rows) or by_columns(rows)
    if known is None:
        raise at_fault(
            name,
            rows[1][0],
            "no number stands after two, four or six words, so this is no data set that is known; say which it is: "
            + ", ".join(FORMS),
        )
    return known


def by_head(rows: Sequence[Row]) -> str | None:
    """The form that a header tells; None where there is none, or it tells nothing."""
    head = [cell.lower() for cell in rows[0][1]]
    if "s1lemma1" in head:
        return "ml2010"
    if "landmark" in head:
        return "verb-landmark" if NAMES["object"] & {*head} else "ml2008"
    if [name_of_word(cell) for cell in head if name_of_word(cell)] == [*SENTENCE, *SENTENCE]:
        return "sentence-pairs"
    return "word-pairs" if any(FIRST.fullmatch(cell) for cell in head) else None


def by_columns(rows: Sequence[Row]) -> str | None:
    """The form that columns tell: what stands in them, and where the first number after two words does."""
    cells = rows[1][1]
    if len(cells) > 1 and cells[1] in PHRASES:
        return "ml2010"
    if cells[-1].lower() in HILO or have_participants_first(rows):
        return "ml2008" if len(cells) < OF_SENTENCE else "verb-landmark"
    if have_two_tags(rows):
        return "word-pairs"
    by_place = {2: "word-pairs", 3: "word-pairs", 4: "verb-landmark", 6: "sentence-pairs"}
    return by_place.get(first_number(rows) or 0)


def have_participants_first(rows: Sequence[Row]) -> bool:
    """Whether there are five columns of which the first is no word, having digits, as participant20."""
    return all(len(cells) == 5 and re.search(r"\d", cells[0]) for _, cells in rows[1:])  # noqa: PLR2004


def have_two_tags(rows: Sequence[Row]) -> bool:
    """Whether two words stand in each row, but for a head, with a tag after each."""
    return all(has_two_tags(cells) for _, cells in rows[1:])


def has_two_tags(cells: Sequence[str]) -> bool:
    """Whether two words stand there with a tag after each, and a number."""
    return len(cells) > 4 and tag_of(cells[1]) is not None and tag_of(cells[3]) is not None and is_number(cells[4])  # noqa: PLR2004


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
    roles = ("verb", "subject", "landmark", "rating")
    places, body = columns_by_head(name, rows, ("participant", *roles))
    for place, cells in body:
        verb, noun, landmark, rating = (cell_of(name, place, cells, places[role]) for role in roles)
        subject = ("nsubj", f"{noun}/NOUN")
        a, b = phrase(f"{verb}/VERB", subject), phrase(f"{landmark}/VERB", *([subject] if in_context else []))
        yield "all", a, b, (who(name, place, cells, places), number_in(name, place, rating))


def of_verb_landmark(name: str, rows: list[Row], in_context: bool) -> Iterator[Judged]:
    """Transitive sentences and a landmark: verb, subject, object, landmark, rating; more columns where a head names."""
    roles = ("verb", "subject", "object", "landmark", "rating")
    before = ("participant",) if first_number(rows) == len(roles) else ()
    places, body = columns_by_head(name, rows, (*before, *roles))
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

    What stands between is the part of speech of both; it may also stand after each of them, in a column of its own or
    as a suffix that all words have: -n, _n, /NOUN.
    """
    rows = words_first(rows)
    if have_two_tags(rows):
        rows = [(at, [f"{c[0]}/{c[1]}", f"{c[2]}/{c[3]}", *c[4:]]) for at, c in rows if has_two_tags(c)]
    score = first_number(rows) or 2
    body = below_names(name, rows, score)
    suffixed = all_have_tags(name, body) if score == 2 else False  # noqa: PLR2004
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


def phrase(head: str, *dependents: tuple[str, str]) -> Phrase:
    """A word with others that hang from it, numbered as they are written."""
    return Phrase(head, tuple((relation, Phrase(word, (), at)) for at, (relation, word) in enumerate(dependents, 2)))


def words_first(rows: list[Row]) -> list[Row]:
    """The columns with the two words in front, where a head names them elsewhere, as after an id."""
    head = rows[0][1]
    one, two = (next((at for at, cell in enumerate(head) if kind.fullmatch(cell)), None) for kind in (FIRST, SECOND))
    if one is None or two is None or (one, two) == (0, 1):
        return rows
    others = [at for at in range(len(head)) if at not in {one, two} and (at > one or at > two)]
    return [(place, [cells[at] for at in (one, two, *others) if at < len(cells)]) for place, cells in rows]


def below_names(name: str, rows: list[Row], score: int) -> list[Row]:
    """The rows of pairs, without the first if that is a head. Raises DataSetError where it is neither."""
    place, cells = rows[0]
    if score < len(cells) and is_number(cells[score]) and not FIRST.fullmatch(cells[0]):
        return rows
    if not any(HEAD.search(cell) for cell in cells):
        raise at_fault(name, place, f"{cells[-1]!r} is no rating; and a head has names as word1, word2, score")
    return rows[1:]


def all_have_tags(name: str, rows: list[Row]) -> bool:
    """Whether all words end with their part of speech. Raises DataSetError where most do, and some do not."""
    bare = [(place, word) for place, cells in rows for word in cells[:2] if not has_tag(word)]
    words = 2 * len(rows)
    if bare and len(bare) < words / 2:
        place, word = bare[0]
        raise at_fault(name, place, f"{word!r} has no part of speech, and most words here do, as dog-n or dog/NOUN")
    return not bare
