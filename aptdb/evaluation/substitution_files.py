"""Files of lexical substitution in the form of SemEval 2007: substitutes of people, and the sentences that they saw."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from aptdb.core.errors import DataSetError
from aptdb.corpus.raw_text import Parser, parser_called
from aptdb.evaluation.dataset_columns import TAGS, at_fault
from aptdb.evaluation.question_files import COLUMNS_OF_CONLLU, name_source, read_source_text

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
            raise at_fault(name, place, f"{line!r:.60} is not as bright.a 1 :: intelligent 3;clever 2;")
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
        raise at_fault(name, place, f"{written} is not a word with its part of speech, as bright.a; of n, v, a, r")
    return word, TAGS[letter.partition(".")[0].lower()]


def substitutes_in(name: str, place: int, text: str) -> Given:
    """Return the substitutes of a line. Raise DataSetError for one without a number, or with 0."""
    found: Given = {}
    for each in filter(None, (part.strip() for part in text.split(";"))):
        cut = SUBSTITUTE.fullmatch(each)
        if cut is None or not float(cut[2]):
            raise at_fault(name, place, f"{each!r} is not a substitute with the number of people, as intelligent 3")
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
            f"{name} is no CoNLL-U with comments as # instance = bright.a 1, so that its sentences have no trees; name "
            "a parser, as spacy:MODEL"
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
            raise at_fault(name, place + lines.index(wrong), f"{wrong!r:.40} is no line of CoNLL-U, with ten columns")
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
