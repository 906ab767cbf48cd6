"""A phrase as a tree of lexemes: read from brackets, also unfinished, written in brackets, and turned into offsets.

    phrase  = lexeme [ "[" edge { "," edge } "]" ]        edge = relation " " phrase

A lexeme or relation with spaces, quotes, brackets or commas is written in double quotes, with \\" and \\\\ inside them.
The quotes may be around all of it or around a part, e.g. "30,0"/NUM.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import NoReturn

from aptdb.core.errors import PhraseError
from aptdb.core.one_line import on_one_line

BEGUN_BARE = re.compile(r'[^\s\[\],"]*')
BEGUN_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"[^\s\[\],]*')


@dataclass
class Begun:
    """An unfinished phrase: the word or relation at the end of the text.

    before: the text before it. typed: its beginning. head, relation: the lexeme it depends on, and the relation; None
    while the relation is being typed. depth: the number of open brackets.
    """

    before: str
    typed: str
    head: str | None = None
    relation: str | None = None
    depth: int = 0


def find_unfinished_word(text: str) -> Begun:
    """Return the word or relation at the end of an unfinished phrase."""
    heads: list[str] = []
    last, relation, place = "", None, 0
    while True:
        word = (BEGUN_QUOTED.match(text, place) or BEGUN_BARE.match(text, place) or [""])[0]
        after = place + len(word)
        if after == len(text):
            head = heads[-1] if heads else None
            return Begun(text[:place], word, head, relation, len(heads))
        each = text[after]
        if each == " " and heads and relation is None and word:
            relation = word
        elif word:
            last = word
        if each == "[":
            heads.append(last)
        elif each == "]" and heads:
            last = heads.pop()
        relation = None if each in "[,]" else relation
        place = after + 1


TEXT = re.compile(r'(?:[^\s"\[\],]|"(?:[^"\\]|\\["\\])*")+')
SPACE = re.compile(r"\s*")
PIECE = re.compile(r'"((?:[^"\\]|\\["\\])*)"|([^"]+)')
BARE = re.compile(r'[^\s"\[\],]+')
RELATION = re.compile(r"[^<>]+")
LEXEME = "lexeme (e.g. dry/ADJ)"

DEEPEST = 100  # levels of a tree: real sentences have a few dozen, and Python limits recursion

Word = dict[str, str]
Row = tuple[int, str | None, int, str]


@dataclass(frozen=True, repr=False)
class Phrase:
    """A word with its dependents, each along a relation.

    number: the word's number in the phrase, from 1: in brackets as written, in CoNLL-U by token order. str() writes it
    in brackets; a notebook draws its tree, and so does tree().

    >>> Phrase.parse("shoot/NOUN[amod green/ADJ]").tree()
    """

    lexeme: str
    dependents: tuple[tuple[str, "Phrase"], ...] = ()
    number: int = 1

    @classmethod
    def parse(cls, text: str) -> "Phrase":
        """Read brackets: `clothes/NOUN[amod dry/ADJ]`. Raises PhraseError, which shows where it goes wrong."""
        return Reader(text).phrase_alone()

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> "Phrase":
        """Return the tree of a sentence from its words: position, lexeme, position of the head (0: none), relation.

        A word has no lexeme if the lexicon excludes its part of speech. It is left out if it has no dependents. Raises
        PhraseError if the words are not a tree. In brackets the head comes first, so words get new numbers there.
        """
        kept = without_bare_leaves(rows)
        roots = [row for row in kept if row[2] == 0]
        if len(roots) != 1:
            raise PhraseError(
                f"this sentence has {len(roots)} roots among the words that the lexicon counts; a phrase has one"
            )
        numbers = {row[0]: number for number, row in enumerate(kept, 1)}
        below: dict[int, list[Row]] = {}  # the dependents of each position
        for row in kept:
            below.setdefault(row[2], []).append(row)

        def build(row: Row, depth: int) -> Phrase:
            refuse_depth(depth)
            if row[1] is None:
                raise PhraseError(
                    f"the lexicon excludes the part of speech of word {row[0]}, but other words depend on it"
                )
            return cls(
                row[1], tuple((each[3], build(each, depth + 1)) for each in below.pop(row[0], [])), numbers[row[0]]
            )

        phrase = build(roots[0], 1)
        stray = [row[0] for head in below.keys() - {0} for row in below[head]]
        if stray:
            raise PhraseError(f"the head of word {min(stray)} does not lead up to the root")
        return phrase

    def words(self) -> list[Word]:
        """Return the words by number, as SQL takes them: lexeme, and delta, the path from the word to the root."""
        walked = sorted(self._walk(""), key=lambda each: each[0].number)
        return [{"lexeme": word.lexeme, "delta": delta} for word, delta in walked]

    def tree(self) -> str:
        """Return the tree as lines of text: a word in each, below its head and after its relation, with its number."""
        return "\n".join("".join(text for text, _ in line) for line in draw_tree_lines(self))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the tree, words clearer than all else."""
        texts = (
            [f"<b>{escape(text)}</b>" if is_word else escape(text) for text, is_word in line]
            for line in draw_tree_lines(self)
        )
        return '<pre style="font-family:monospace;line-height:1.3">' + "\n".join(map("".join, texts)) + "</pre>"

    def __repr__(self) -> str:
        return f"Phrase.parse({str(self)!r})"

    def _walk(self, delta: str) -> Iterator[tuple["Phrase", str]]:
        yield self, delta
        for relation, dependent in self.dependents:
            yield from dependent._walk(f"<{relation}{delta}")

    def __str__(self) -> str:
        edges = ", ".join(f"{quote_for_brackets(relation)} {dependent}" for relation, dependent in self.dependents)
        return quoted_lexeme(self.lexeme) + (f"[{edges}]" if edges else "")


def draw_tree_lines(
    phrase: Phrase, before: str = "", relation: str = "", below: str = ""
) -> Iterator[list[tuple[str, bool]]]:
    """Yield the lines of a tree: pairs of text, and whether it is the lexeme.

    before: the text before the relation of a word. below: the text before the relations of its dependents.
    """
    along = f"{on_one_line(relation)} " if relation else ""
    yield [(before + along, False), (on_one_line(phrase.lexeme), True), (f" {phrase.number}", False)]
    for place, (name, dependent) in enumerate(phrase.dependents, 1):
        is_last = place == len(phrase.dependents)
        branch, further = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        yield from draw_tree_lines(dependent, below + branch, name, below + further)


def without_bare_leaves(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without words that have neither a lexeme nor dependents."""
    kept = list(rows)
    while True:
        heads = {row[2] for row in kept}
        fewer = [row for row in kept if row[1] is not None or row[0] in heads]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def refuse_depth(depth: int) -> None:
    """Raise PhraseError if a tree is too deep."""
    if depth > DEEPEST:
        raise PhraseError(f"this phrase is too deep; a tree has at most {DEEPEST} levels")


def write_words(words: Sequence[Word]) -> str:
    """Return the words of a phrase as text, each with its offset."""
    return ", ".join(
        quoted_lexeme(word["lexeme"]) + (f" at {word['delta']}" if word["delta"] else "") for word in words
    )


def parse_lexeme_list(text: str) -> list[str]:
    """Return the lexemes in a text with commas, each written as in a phrase. Raises PhraseError."""
    return Reader(text).lexemes_alone()


def quote_for_brackets(text: str) -> str:
    """Return a lexeme or relation as written in brackets."""
    if BARE.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_lexeme(lexeme: str) -> str:
    """Return a lexeme as written in brackets; the parts before and after the last / have quotes if they need them."""
    lemma, slash, pos = lexeme.rpartition("/")
    return "".join(quote_for_brackets(part) if part else "" for part in (lemma, slash, pos))


def unquote_written(written: str) -> str:
    """Return a lexeme or relation without its quotes, which may enclose all of it, a part, or nothing."""
    return "".join(bare or re.sub(r"\\(.)", r"\1", inside) for inside, bare in PIECE.findall(written))


class Reader:
    """Parser of one phrase in brackets, from left to right; numbers the words in this order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.words = 0

    def phrase_alone(self) -> Phrase:
        """Return the whole text as one phrase."""
        phrase = self._phrase(1)
        self._skip_space()
        if self.at < len(self.text):
            self._fail("the phrase should end")
        return phrase

    def lexemes_alone(self) -> list[str]:
        """Return the whole text as lexemes with commas between them."""
        found = [self._text(LEXEME)]
        while self._skip_space() or self.at < len(self.text):
            if self.at < len(self.text) and not self._take(","):
                self._fail("missing comma")
            if self.at < len(self.text):
                found.append(self._text(LEXEME))
        return found

    def _phrase(self, depth: int) -> Phrase:
        lexeme = self._text(LEXEME)
        self.words += 1
        number = self.words
        refuse_depth(depth)
        return Phrase(lexeme, tuple(self._edges(depth + 1)), number)

    def _edges(self, depth: int) -> Iterator[tuple[str, Phrase]]:
        self._skip_space()
        if not self._take("["):
            return
        while True:
            relation = self._text("relation (e.g. amod)")
            if not RELATION.fullmatch(relation):
                raise PhraseError(f"{self.text!r}: {relation!r} is not a relation; a relation is a name without < or >")
            if not self._skip_space():
                self._fail(f"missing space and lexeme after {relation!r}")
            yield relation, self._phrase(depth)
            self._skip_space()
            if self._take("]"):
                return
            if not self._take(","):
                self._fail("missing comma or ]" if self.at < len(self.text) else "missing ]")

    def _text(self, wanted: str) -> str:
        self._skip_space()
        found = TEXT.match(self.text, self.at)
        if not found or not unquote_written(found[0]):
            self._fail(f"missing {wanted}")
        self.at = found.end()
        return unquote_written(found[0])

    def _skip_space(self) -> bool:
        begun = self.at
        space = SPACE.match(self.text, begun)
        self.at = space.end() if space else begun
        return self.at > begun

    def _take(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        return True

    def _fail(self, problem: str) -> NoReturn:
        rest = self.text[self.at :].strip()
        place = f"before {rest[:20]!r}" if rest else "at the end"
        raise PhraseError(f"{self.text!r}: {problem} {place}")
