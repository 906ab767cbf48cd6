"""Evaluate substitutes for words in sentences: generalised average precision, and how often the best one is given.

Files are in the form of SemEval 2007: substitutes of people, and the sentences that they saw.
"""

import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import DataSetError, IncompleteDataWarning, QuestionError, warn, warnings_heard
from aptdb.core.one_line import name_first
from aptdb.core.phrase import Word
from aptdb.core.question_parameters import ComparingEach, refuse_other_parameters
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.corpus.raw_text import Parser, parser_called
from aptdb.corpus.sources import Source
from aptdb.evaluation.dataset_columns import COLUMNS_OF_CONLLU, TAGS, at_fault, name_source, read_source_text
from aptdb.evaluation.resampling import Value, mean_with_interval, refuse_seed
from aptdb.evaluation.task import SEED
from aptdb.questions.calls import Question
from aptdb.questions.query import neighbours_each, similarity_each
from aptdb.questions.readings import known_names, sentence_rows
from aptdb.store.session import Session

if TYPE_CHECKING:
    from aptdb.core.settings import Settings

COLUMNS = {
    "item": "VARCHAR", "lexeme": "VARCHAR", "best": "VARCHAR", "right": "INTEGER", "gap": "DOUBLE",
    "gap_alone": "DOUBLE", "candidates": "BIGINT", "words": "BIGINT",
}  # fmt: skip
Row = tuple[int, str | None, int, str]  # position, lexeme or None where it is left out, position of the head, relation
DIGITS = 9  # of similarities that are compared
SHOWN = 10  # items in a warning
BATCH = 20  # items that are composed at once: the APTs of phrases of twelve words take 60 MB each
Progress = Callable[[int, int], None]

LINE = re.compile(r"(\S+) +(\S+) *::(.*)")
SUBSTITUTE = re.compile(r"(\S.*?)\s+(\d+(?:\.\d+)?)")
LEXELT = re.compile(r'<lexelt\s[^>]*item="([^"]+)"|<instance\s[^>]*id="([^"]+)"[^>]*>(.*?)</instance>', re.DOTALL)
HEAD = re.compile(r"<head\b[^>]*>(.*?)</head>", re.DOTALL)
MARK = re.compile(r"<[^>]*>")
COMMENT = re.compile(r"#\s*(instance|target)\s*=\s*(.*?)\s*")
PLAIN_COLUMNS = 4  # word, number, place of the word from 0, sentence

Given = dict[str, float]  # substitutes, and how many people gave each


@dataclass(frozen=True)
class Gold:
    """A word in a sentence, and its substitutes. item: as bright.a 1; word, pos: the word and its part of speech."""

    item: str
    word: str
    pos: str
    given: Given


@dataclass(frozen=True)
class Seen:
    """The sentence of an item, parsed: its lines of CoNLL-U, and the position of the word in it, from 1."""

    item: str
    lines: tuple[str, ...]
    target: int


@dataclass(frozen=True)
class Unparsed:
    """A sentence that is not parsed: the text before the word, the word, and the text after it."""

    item: str
    before: str
    word: str
    after: str


def read_gold(source: str | Path) -> list[Gold]:
    """Return the substitutes of a file with lines as `bright.a 1 :: intelligent 3;clever 2;`; `-` is standard input.

    A line without substitutes is left out. Raises DataSetError, as file:line.
    """
    name, found, seen = name_source(source), [], set[str]()
    for place, line in enumerate(read_source_text(source).splitlines(), 1):
        if not line.strip():
            continue
        if (cut := LINE.fullmatch(line.strip())) is None:
            raise at_fault(name, place, f"{line!r:.60} is not a line like bright.a 1 :: intelligent 3;clever 2;")
        item = f"{cut[1]} {cut[2]}"
        if item in seen:
            raise at_fault(name, place, f"{item} comes twice")
        seen.add(item)
        word, pos = split_word_and_tag(name, place, cut[1])
        if given := substitutes_in(name, place, cut[3]):
            found.append(Gold(item, word, pos, given))
    if not found:
        raise DataSetError(f"{name} has no substitutes")
    return found


def split_word_and_tag(name: str, place: int, written: str) -> tuple[str, str]:
    """Return the word and the tag of bright.a. Raise DataSetError."""
    word, _, letter = written.partition(".")
    if not word or letter.partition(".")[0].lower() not in TAGS:
        raise at_fault(name, place, f"{written} is not a word with its part of speech (n, v, a or r), as bright.a")
    return word, TAGS[letter.partition(".")[0].lower()]


def substitutes_in(name: str, place: int, text: str) -> Given:
    """Return the substitutes of a line. Raise DataSetError for one without a number, or with 0."""
    found: Given = {}
    for each in filter(None, (part.strip() for part in text.split(";"))):
        cut = SUBSTITUTE.fullmatch(each)
        if cut is None or not float(cut[2]):
            raise at_fault(name, place, f"{each!r} is not a substitute and the number of people, as intelligent 3")
        if cut[1] in found:
            raise at_fault(name, place, f"{cut[1]} is given twice")
        found[cut[1]] = float(cut[2])
    return found


def read_seen(source: str | Path, parser: str | None) -> list[Seen]:
    """Return the sentences of items: of parsed CoNLL-U, of the XML of SemEval 2007, or of lines between tabs.

    In CoNLL-U, comments name the item and the position of the word: `# instance = bright.a 1`, `# target = 13`. A line
    has bright.a, 1, the place of the word in the sentence, from 0, and the sentence, whose words have spaces between
    them. XML and lines need a parser, as spacy:MODEL. Raises DataSetError and QuestionError.
    """
    name, text = name_source(source), read_source_text(source)
    is_parsed = any(COMMENT.fullmatch(line) for line in text.splitlines())
    if is_parsed and parser is not None:
        raise DataSetError(f"{name} is parsed already; leave out the parser")
    if is_parsed:
        return refuse_repeated_items(name, [*of_conllu(name, text)])
    if parser is None:
        raise DataSetError(
            f"{name} is not CoNLL-U with comments as # instance = bright.a 1; to parse its sentences, name a parser "
            "(spacy:MODEL)"
        )
    with_trees = parser_called(parser)
    unparsed = of_xml(name, text) if text.lstrip().startswith("<") else of_lines(name, text)
    return refuse_repeated_items(name, [parse_sentence(with_trees, each) for each in unparsed])


def refuse_repeated_items(name: str, found: Sequence[Seen]) -> list[Seen]:
    """Return sentences. Raise DataSetError for an item that has two, or if there are none."""
    if not found:
        raise DataSetError(f"{name} has no sentences")
    items = [each.item for each in found]
    if twice := next((item for item in items if items.count(item) > 1), None):
        raise DataSetError(f"{name} has two sentences of {twice}")
    return [*found]


def of_conllu(name: str, text: str) -> Iterator[Seen]:
    """Yield the sentences of CoNLL-U that are of an item. Raise DataSetError, as file:line."""
    place = 1
    for block in re.split(r"\n(?=\r?\n)", text):
        lines = block.splitlines()
        said = {found[1]: found[2] for line in lines if (found := COMMENT.fullmatch(line))}
        rows = tuple(line for line in lines if line.strip() and not line.startswith("#"))
        if wrong := next((row for row in rows if row.count("\t") != COLUMNS_OF_CONLLU - 1), None):
            raise at_fault(name, place + lines.index(wrong), f"{wrong!r:.40} has not the ten columns of CoNLL-U")
        if said:
            target = said.get("target", "")
            if "instance" not in said or target not in [row.partition("\t")[0] for row in rows]:
                raise at_fault(
                    name, place, "expected # instance = bright.a 1 and # target = 13, a token of the sentence"
                )
            yield Seen(" ".join(said["instance"].split()), rows, int(target))
        place += len(lines)


def of_xml(name: str, text: str) -> Iterator[Unparsed]:
    """Yield the sentences of the XML of SemEval 2007: of each instance of a lexelt, its context with a head."""
    lexelt = ""
    for item, number, context in LEXELT.findall(text):
        if item:
            lexelt = item
            continue
        marked = HEAD.search(context)
        if not lexelt or marked is None:
            raise DataSetError(f"{name}: instance {number} has no lexelt, or no <head> in its context")
        before, after = (unescape(MARK.sub("", part)) for part in (context[: marked.start()], context[marked.end() :]))
        yield Unparsed(f"{lexelt} {number}", before, unescape(marked[1]), after)


def of_lines(name: str, text: str) -> Iterator[Unparsed]:
    """Yield the sentences of lines: word, number, place, sentence. Raise DataSetError, as file:line."""
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        words = cells[-1].split()
        if len(cells) != PLAIN_COLUMNS or not cells[2].isdecimal() or int(cells[2]) >= len(words):
            raise at_fault(
                name, place, "expected four columns: bright.a, 1, the place of the word from 0, and the sentence"
            )
        at = int(cells[2])
        yield Unparsed(f"{cells[0]} {cells[1]}", " ".join(words[:at]), words[at], " ".join(words[at + 1 :]))


def parse_sentence(parser: Parser, each: Unparsed) -> Seen:
    """Return a sentence with its tree: of several that a parser finds, the one with the word. Raise DataSetError."""
    letters = len("".join(each.before.split()))
    text = " ".join(f"{each.before} {each.word} {each.after}".split())
    for sentence in (one for some in parser.sentences([text]) for one in some):
        rows = tuple(line for line in sentence if line and not line.startswith("#"))
        for row in rows:
            number, form, *_ = row.split("\t")
            if not number.isdecimal():
                continue
            if 0 <= letters < len("".join(form.split())):
                return Seen(each.item, rows, int(number))
            letters -= len("".join(form.split()))
    raise DataSetError(f"the parser finds no word {each.word} in the sentence of {each.item}")


# Scores
@dataclass(frozen=True, eq=False, repr=False)
class Substituted(Result):
    """Rows of items, with the means over all and their 95 % intervals: GAP, GAP of the word alone, and P@1.

    missing: items whose word the lexicon lacks or does not count in the sentence, which have no sentence, or which have
    no substitute of one word.
    """

    gap: Value = (None, None, None)
    gap_alone: Value = (None, None, None)
    right: Value = (None, None, None)
    missing: tuple[str, ...] = ()


def rate_substitutes(
    session: Session,
    gold: str | Path,
    sentences: str | Path,
    *,
    parser: str | None = None,
    seed: int = SEED,
    progress: Progress = lambda *_: None,
    **parameters: Unpack[ComparingEach],
) -> Substituted:
    """Return how well substitutes of words in sentences are ranked, beside those that people gave (SemEval 2007).

    Rows of item, lexeme, best, right, gap, gap_alone, candidates, words. A word is composed with the words of its
    sentence that are at most as many steps away as the lexicon counts (words: how many), and seen from its own place,
    as by `substitutes`. best: the first of these; right: 1 if people gave it, else 0. gap: the generalised average
    precision (Kishida 2005) of its ranking of all substitutes that people gave for the word in any sentence
    (candidates); gap_alone: that of the word by itself. Substitutes of several words are left out; those that the
    lexicon lacks come last. Words of which nothing is left under the weights, or in the space, are not composed.

    gold: a file with lines as `bright.a 1 :: intelligent 3;clever 2;`. sentences, parser: see `read_seen`. parameters:
    those of `similarity_each`, without anchor and missing. The answer also has the means gap, gap_alone and right, each
    with its interval over resamples of the items by the seed. progress: called with items done and in all.

    Raises DataSetError and QuestionError.
    """
    refuse_seed(seed)
    refuse_other_parameters("similarity_each", parameters)
    for name in ("anchor", "missing"):
        if name in parameters:
            raise QuestionError(f"rate_substitutes takes no {name}; each item has a word and a sentence of its own")
    all_golds, seen = [*map(of_single_words, read_gold(gold))], read_seen(sentences, parser)
    warn_of_others({each.item for each in all_golds}, seen)
    golds = [each for each in all_golds if each.given]
    phrases = phrases_of(session, golds, seen)
    known = [each for each in golds if each.item in phrases]
    if not known:
        raise QuestionError("no item has a sentence and a word that this lexicon counts there")
    given: dict[str, Any] = {**parameters, "anchor": 1, "missing": "skip"}
    pools, rows = pools_of(golds), []
    with warnings_heard() as heard:  # each batch would warn anew
        for start in range(0, len(known), BATCH):
            progress(start, len(known))
            rows += rows_of_substitutes(session, known[start : start + BATCH], pools, phrases, given)
    for message, category in heard.items():
        warn(message, category)
    progress(len(known), len(known))
    missing = tuple(each.item for each in all_golds if each.item not in phrases)
    gap, alone, right = (mean_with_interval([row[place] for row in rows], seed) for place in (4, 5, 3))
    return Substituted(tuple(COLUMNS), tuple(COLUMNS.values()), rows, gap, alone, right, missing)


def warn_of_others(items: Collection[str], seen: Sequence[Seen]) -> None:
    """Warn of sentences of items for which nobody gave substitutes."""
    if others := [each.item for each in seen if each.item not in items]:
        warn(f"left out, because nobody gave substitutes: {name_first(others, SHOWN)}", IncompleteDataWarning)


def of_single_words(gold: Gold) -> Gold:
    """Return the substitutes of an item that are one word, and not the word itself."""
    given = {text: weight for text, weight in gold.given.items() if len(text.split()) == 1 and text != gold.word}
    return Gold(gold.item, gold.word, gold.pos, given)


def rows_of_substitutes(
    session: Session,
    known: Sequence[Gold],
    pools: Mapping[tuple[str, str], list[str]],
    every_phrase: Mapping[str, list[Word]],
    parameters: dict[str, Any],
) -> list[tuple[Any, ...]]:
    """Return the rows of items that can be scored. pools: see `pools_of`."""
    phrases = {each.item: every_phrase[each.item] for each in known}
    best = find_best_substitutes(session, phrases, parameters)
    candidates = {lexeme_of_word(text, each.pos) for each in known for text in pools[each.word, each.pos]}
    own = {lexeme_of_word(each.word, each.pos) for each in known}
    names = {name: name for name in sorted(own | (candidates & known_names(session, sorted(candidates))))}
    pairs = [
        (asked, lexeme_of_word(text, each.pos))
        for each in known
        for text in pools[each.word, each.pos]
        for asked in (each.item, lexeme_of_word(each.word, each.pos))
        if lexeme_of_word(text, each.pos) in names
    ]
    questions: dict[str, Question] = {**phrases, **names}
    found = similarity_each(session, questions, [*dict.fromkeys(pairs)], **parameters)
    likeness = {(a, b): round(value or 0.0, DIGITS) for a, b, value in found.rows}
    rows = []
    for each in known:
        pool = pools[each.word, each.pos]
        weights = [each.given.get(text, 0.0) for text in pool]
        lexeme = lexeme_of_word(each.word, each.pos)
        gap, alone = (
            generalised_average_precision(
                [likeness.get((asked, lexeme_of_word(text, each.pos)), 0.0) for text in pool], weights
            )
            for asked in (each.item, lexeme)
        )
        right = int(best.get(each.item) in {lexeme_of_word(text, each.pos) for text in each.given})
        rows.append((each.item, lexeme, best.get(each.item), right, gap, alone, len(pool), len(phrases[each.item])))
    return rows


def lexeme_of_word(word: str, pos: str) -> str:
    """Return the lexeme of a word."""
    return f"{lower_letters(word)}/{pos}"


def pools_of(golds: Sequence[Gold]) -> dict[tuple[str, str], list[str]]:
    """Return the substitutes that are given for each word in any sentence."""
    pools: dict[tuple[str, str], dict[str, None]] = {}
    for each in golds:
        pools.setdefault((each.word, each.pos), {}).update(dict.fromkeys(each.given))
    return {word: sorted(pool) for word, pool in pools.items()}


def find_best_substitutes(
    session: Session, phrases: Mapping[str, list[Word]], parameters: dict[str, Any]
) -> dict[str, str]:
    """Return the best substitute of each item among all lexemes, as `substitutes` ranks them."""
    found: dict[str, str] = {}
    for item, lexeme, _ in neighbours_each(session, phrases, **{**parameters, "top": 2}).rows:
        if lexeme != phrases[item][0]["lexeme"]:
            found.setdefault(item, lexeme)
    return found


def generalised_average_precision(scores: Sequence[float], weights: Sequence[float]) -> float:
    """Return Kishida's generalised average precision of a ranking by scores, beside the best there is.

    Of candidates that score alike those with smaller weights come first, so that scoring alike gains nothing.
    """
    ranked = [weight for _, weight in sorted(zip(scores, weights, strict=True), key=lambda each: (-each[0], each[1]))]
    best = sorted(weights, reverse=True)
    return summed_precision(ranked) / summed_precision(best)


def summed_precision(weights: Sequence[float]) -> float:
    """Return the sum, over the places with a weight, of the mean of all weights up to there."""
    total, found = 0.0, 0.0
    for place, weight in enumerate(weights, 1):
        total += weight
        found += total / place if weight else 0.0
    return found


# Words in their sentences
def phrases_of(session: Session, golds: Sequence[Gold], seen: Sequence[Seen]) -> dict[str, list[Word]]:
    """Return the words of each item as a phrase, its own word first; of items whose words the lexicon counts there."""
    by_item = {each.item: each for each in golds}
    wanted = [each for each in seen if each.item in by_item]
    trees = read_trees(session.settings, wanted)
    lexemes = {row[1] for tree in trees for row in tree if row[1] is not None}
    own = {each.item: lexeme_of_word(each.word, each.pos) for each in golds}
    known = known_names(session, sorted(lexemes | {*own.values()}))
    found = {}
    for each, tree in zip(wanted, trees, strict=True):
        named = {row[0]: row if row[1] in known else (row[0], None, *row[2:]) for row in tree}
        if own[each.item] in known and each.target in named:
            named[each.target] = (each.target, own[each.item], *named[each.target][2:])
            found[each.item] = take_words_around(named, each.target, session.settings.order)
    return found


def read_trees(settings: "Settings", seen: Sequence[Seen]) -> list[list[Row]]:
    """Return the words of sentences as a lexicon with these settings reads them."""
    if not seen:
        return []
    text = "".join("\n".join([*each.lines, "", ""]) for each in seen)
    with Source(io.BytesIO(text.encode())) as opened:
        return [[*rows] for _, rows in sentence_rows(settings, opened)]


def take_words_around(rows: Mapping[int, Row], target: int, most: int) -> list[Word]:
    """Return a word with those at most `most` steps away, as a phrase, itself first, without words that are no lexemes.

    The root of the phrase is the highest word that is so near, with all between the two known.
    """
    top, climbed = target, 0
    while climbed < most and (head := rows[top][2]) in rows and rows[head][1] is not None:
        top, climbed = head, climbed + 1
    above = chain(rows, target)
    found: list[tuple[int, Word]] = []
    for position, (_, lexeme, _, _) in rows.items():
        own = chain(rows, position)
        if lexeme is None or top not in own:
            continue
        shared = next(each for each in own if each in above)
        if own.index(shared) + above.index(shared) <= most:
            ups = "".join(f"<{rows[each][3]}" for each in own[: own.index(top)])
            found.append((position, {"lexeme": lexeme, "delta": ups}))
    return [word for _, word in sorted(found, key=lambda each: (each[0] != target, each[0]))]


def chain(rows: Mapping[int, Row], position: int) -> list[int]:
    """Return a word, its head, and so on up to the root."""
    found = [position]
    while (head := rows[found[-1]][2]) in rows and head not in found:
        found.append(head)
    return found
