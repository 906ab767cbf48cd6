"""Turn parsed sentences into CoNLL-U text: plain Python values, or objects of conllu, pyconll, spaCy or Stanza.

None of these packages is imported: objects are recognised by their attributes. The reader of CoNLL-U finds faults in
the trees (a head outside the sentence, a circle), and `place_in` gives the word behind a line of the text.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from aptdb.core.errors import CorpusError

Kind = Literal["file", "stream", "table", "parsed"]
NEEDED = ("form", "head", "deprel")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
RANGE = re.compile(r"[0-9]+-[0-9]+")
EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
NO_SPACE = re.compile(r"(^|\|)SpaceAfter=No(\||$)")
DOCUMENT_COMMENTS = r"newdoc|meta::|doc_title\s*="  # begin a document, or say something of one; for RE2 too
NEWDOC = re.compile(r"#\s*newdoc\b")
COLUMNS = re.compile(r"#\s*global\.columns\b")  # those of the file that was read; we write ten
SOURCES = "use a file, an open binary stream, a table, or an iterable of sentences"


class Word(NamedTuple):
    """A word as in CoNLL-U, or a range, whose id is e.g. 1-2. An id of None means the next number."""

    id: Any
    form: Any
    lemma: Any
    upos: Any
    xpos: Any
    head: Any
    deprel: Any
    space_after: bool = True
    feats: Any = None
    deps: Any = None
    misc: Any = None


class ParsedText:
    """A stream of the CoNLL-U text of parsed sentences, which are read one by one on demand."""

    def __init__(self, source: Any, place: str) -> None:
        self._lines = conllu_lines(source, place)
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; b'' only at the end; all if size is negative. Raise like `conllu_lines`."""
        parts, length = [self._rest], len(self._rest)
        while size < 0 or length < size:
            if (part := next(self._lines, None)) is None:
                break
            parts.append(part)
            length += len(part)
        text = b"".join(parts)
        self._rest = text[size:] if size >= 0 else b""
        return text[:size] if size >= 0 else text


def find_kind_of_source(source: Any) -> Kind:
    """Return the kind of source that a corpus is read from. Raise CorpusError for anything else."""
    if isinstance(source, str | os.PathLike):
        return "file"
    if hasattr(source, "__arrow_c_stream__"):
        return "table"
    if hasattr(source, "read"):
        return "stream"
    if isinstance(source, bytes | bytearray | Mapping) or not (is_document(source) or hasattr(source, "__iter__")):
        raise CorpusError(f"{describe_wrong_value(source)} is not a corpus; {SOURCES}")
    return "parsed"


def conllu_lines(source: Any, place: str) -> Iterator[bytes]:
    """Yield the lines of each sentence as CoNLL-U, with the blank line after it.

    source: sentences, or documents of spaCy or Stanza, or a single one. Sentences without words are left out and get no
    number; their comments stand above the next one, as in a file. Raises CorpusError, which names sentence and word;
    errors of the user's own iterable are passed on.
    """
    number, waiting = 1, list[str]()
    for document in [source] if is_document(source) else source:
        for own, words in sentences_in(document, f"{place}: sentence {number}"):
            above = [] if begins_document(own) and begins_document(waiting) else waiting
            text = sentence_text(words, f"{place}: sentence {number}")
            waiting = [] if text else [*above, *own]
            if text:
                yield encode_sentence("".join((*above, *own, text)), place, number)
                number += 1
    if waiting:
        yield encode_sentence("".join((*waiting, "\n")), place, number)


def is_document(source: Any) -> bool:
    """Return whether an object is a document or a sentence of spaCy or Stanza."""
    return any(all(hasattr(source, name) for name in names) for names in (DOC, SPAN, DOCUMENT, STANZA_SENTENCE))


DOC = ("sents", "has_annotation")
SPAN = ("doc", "start", "end", "root")
DOCUMENT = ("sentences", "num_words")
STANZA_SENTENCE = ("tokens", "words", "sent_id")


def sentences_in(source: Any, place: str) -> Iterator[tuple[list[str], Iterable[Any]]]:
    """Yield the sentences of a document, or the given sentence itself: comments and words."""

    def has(names: tuple[str, ...]) -> bool:
        return all(hasattr(source, name) for name in names)

    if has(DOC):
        for start, end in spacy_sentences(source, place):
            yield spacy_comments(source, start), spacy_words(list(source[start:end]))
    elif has(SPAN):
        yield spacy_comments(source.doc, source.start), spacy_words(list(source))
    elif has(DOCUMENT):
        for sentence in source.sentences:
            yield comments_of(sentence), stanza_words(sentence)
    elif has(STANZA_SENTENCE):
        yield comments_of(source), stanza_words(source)
    elif isinstance(source, str | bytes | Mapping) or not hasattr(source, "__iter__"):
        raise CorpusError(
            f"{place}: {describe_wrong_value(source)} is not a sentence; a sentence is an iterable of words"
        )
    else:
        yield comments_of(source), source


def comments_of(sentence: Any) -> list[str]:
    """Return the lines of comments of a sentence of conllu, pyconll or Stanza, with their ends."""
    for name in ("metadata", "meta", "_meta"):
        if isinstance(described := getattr(sentence, name, None), Mapping):
            return comment_lines(comment_text(each, value) for each, value in described.items())
    written = getattr(sentence, "comments", None)
    found = [] if written is None or callable(written) else [each for each in written if isinstance(each, str)]
    sent_id = getattr(sentence, "sent_id", None) or getattr(sentence, "id", None)
    if isinstance(sent_id, str | int) and not any(re.match(r"#\s*sent_id\s*=", each) for each in found):
        found.append(comment_text("sent_id", sent_id))
    return comment_lines(found)


def comment_text(name: Any, value: Any) -> str:
    """Return a comment: a name alone, or a name and a value."""
    return f"# {name}" if value is None else f"# {name} = {value}"


def comment_lines(comments: Iterable[str]) -> list[str]:
    """Return comments as lines, without those that say nothing of the sentence."""
    lines = (clean_field(each).strip(" ") for each in comments)
    return [f"{each}\n" for each in lines if each.startswith("#") and not COLUMNS.match(each)]


def begins_document(comments: Iterable[str]) -> bool:
    """Return whether one of the comments begins a document."""
    return any(NEWDOC.match(each) for each in comments)


def sentence_text(words: Iterable[Any], place: str) -> str:
    """Return the words of a sentence as CoNLL-U, '' for none. Raise CorpusError for an object that is not a word."""
    lines = []
    number = 1
    for given in words:
        word = read_word(given, f"{place}, word {number}")
        shown = id_text(word.id, number)
        if EMPTY_NODE.fullmatch(shown):
            continue
        if RANGE.fullmatch(shown):
            word = Word(shown, fill_field(word.form), None, None, None, "_", "_", word.space_after)
        else:
            number += 1
        if lacking := next((name for name in NEEDED if getattr(word, name) is None), None):
            raise CorpusError(f"{place}, word {number - 1}: has no {lacking}; a word has form, head and deprel")
        lines.append(format_word(shown, word))
    if number == 1:
        return ""
    return "".join(lines) + "\n"


def format_word(shown: str, word: Word) -> str:
    """Return a word as a line of CoNLL-U."""
    columns = (shown, fill_field(word.form), fill_field(word.lemma), fill_field(word.upos), fill_field(word.xpos))
    tree = (format_features(word.feats), clean_field(word.head), clean_field(word.deprel))
    misc = format_features(word.misc)
    if not word.space_after and not has_no_space(misc):
        misc = "SpaceAfter=No" if misc == "_" else f"{misc}|SpaceAfter=No"
    return "\t".join((*columns, *tree, format_dependencies(word.deps), misc)) + "\n"


def format_dependencies(deps: Any) -> str:
    """Return DEPS as text, from text, pairs (conllu), a mapping of heads to parts of a relation (pyconll), or None."""
    if isinstance(deps, Mapping):
        deps = "|".join(f"{head}:{':'.join(filter(None, parts))}" for head, parts in deps.items())
    elif isinstance(deps, list):
        deps = "|".join(f"{id_text(head, 0)}:{relation}" for relation, head in deps)
    return fill_field(deps)


def format_features(feats: Any) -> str:
    """Return FEATS or MISC as text, from text, a mapping to text (conllu), a mapping to sets (pyconll), or None."""
    if isinstance(feats, Mapping):
        values = {name: ",".join(sorted(v)) if isinstance(v, set | frozenset) else v for name, v in feats.items()}
        feats = "|".join(f"{name}={value}" if value else name for name, value in values.items())
    return fill_field(feats)


def clean_field(value: Any) -> str:
    """Return a value as text, with spaces in place of control characters."""
    text = str(value)
    return text if text.isprintable() else CONTROL.sub(" ", text)


def fill_field(value: Any) -> str:
    """Return a text, or `_` if it is empty or blank."""
    if value is None:
        return "_"
    text = clean_field(value)
    return text if text.strip(" ") else "_"


def encode_sentence(text: str, place: str, sentence: int) -> bytes:
    """Return a sentence's text as UTF-8. Raise CorpusError if that is impossible."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        where = place_in(text.encode(errors="replace"), text.count("\n", 0, error.start), sentence - 1)
        code = ord(text[error.start])
        raise CorpusError(
            f"{place}: {where}: has U+{code:04X}, half a character; decode the text with its right encoding"
        ) from error


def place_in(chunk_text: bytes, line: int, sentences_before: int) -> str:
    """Return the word behind a line of the text, e.g. `sentence 12 (sent_id weblog-3), word 4`.

    chunk_text: complete sentences of the text. line: the number of the line in it, from 0. sentences_before: the number
    of sentences before it.
    """
    lines, blanks = split_lines(chunk_text)
    number = bisect_left(blanks, line)  # of blank lines before it
    sentence = [each.decode(errors="replace") for each in lines[blanks[number - 1] + 1 if number else 0 : line + 1]]
    number += sentences_before + 1
    sent_id = next((each.partition(" = ")[2] for each in reversed(sentence) if each.startswith("# sent_id = ")), "")
    place = f"sentence {number} (sent_id {sent_id})" if sent_id else f"sentence {number}"
    last = sentence[-1].partition("\t")[0]
    if RANGE.fullmatch(last):
        return f"{place}, words {last}"
    words = sum(not each.startswith("#") and not RANGE.match(each) for each in sentence if each)
    return f"{place}, word {words}" if words else place


@lru_cache(maxsize=1)
def split_lines(text: bytes) -> tuple[list[bytes], list[int]]:
    """Return the lines of a text, and which of them are blank."""
    lines = text.split(b"\n")
    return lines, [number for number, each in enumerate(lines) if not each]


# Words
def read_word(given: Any, place: str) -> Word:
    """Return a word from a mapping, an object, or a tuple (id, form, lemma, upos, head, deprel). Raises CorpusError."""
    if isinstance(given, Word):
        return given
    if isinstance(given, Mapping):
        return word_from(lambda name: undo_pandas(given.get(name)))
    if hasattr(given, "form") or hasattr(given, "text"):
        return word_from(lambda name: undo_pandas(getattr(given, name, None)))
    if isinstance(given, tuple | list) and len(given) == len(TUPLE):
        values = dict(zip(TUPLE, given, strict=True))
        return word_from(lambda name: undo_pandas(values.get(name)))
    raise CorpusError(
        f"{place}: {describe_wrong_value(given)} is not a word; a word is a mapping, an object, or a tuple "
        f"({', '.join(TUPLE)})"
    )


TUPLE = ("id", "form", "lemma", "upos", "head", "deprel")


def word_from(value: Any) -> Word:
    """Return the word whose columns a function returns by name. Stanza calls the form `text`."""
    form = value("form")
    return Word(
        id=value("id"),
        form=value("text") if form is None else form,
        lemma=value("lemma"),
        upos=value("upos"),
        xpos=value("xpos"),
        head=value("head"),
        deprel=value("deprel"),
        space_after=value("space_after") in (None, True) and not has_no_space(value("misc")),
        feats=value("feats"),
        deps=value("deps"),
        misc=value("misc"),
    )


def undo_pandas(value: Any) -> Any:
    """Return a value without pandas' changes: None for nan, and 2 for 2.0."""
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value  # noqa: PLR0124 (nan)
    return value


def has_no_space(misc: Any) -> bool:
    """Return whether MISC says SpaceAfter=No: in a text, a mapping to text (conllu) or a mapping to sets (pyconll)."""
    if isinstance(misc, Mapping):
        space = misc.get("SpaceAfter")
        return space == "No" or (isinstance(space, set | frozenset) and "No" in space)
    return isinstance(misc, str) and bool(NO_SPACE.search(misc))


def id_text(given: Any, number: int) -> str:
    """Return an id as in CoNLL-U. Libraries have tuples for ranges, for empty nodes and even for words."""
    if given is None:
        return str(number)
    if isinstance(given, tuple | list):
        ends = [each for each in given if isinstance(each, int)]
        return ("." if "." in given else "-").join(str(each) for each in ends)
    text = clean_field(given)
    return (
        f"id {text}" if text.startswith("#") else text
    )  # so that the reader finds the fault and does not take it for a comment


# spaCy
def spacy_sentences(doc: Any, place: str) -> Iterator[tuple[int, int]]:
    """Yield the first token of each sentence, and the one after its last.

    Sentences of spaCy are joined if a head is in another of them: where trees cross, spaCy makes sentences without a
    root. Raises CorpusError for a Doc without a parse.
    """
    if not doc.has_annotation("DEP"):
        raise CorpusError(f"{place}: this Doc has no parse; run a pipeline with a parser, or set its heads and deps")
    starts = {sentence.start for sentence in doc.sents} if doc.has_annotation("SENT_START") else set()
    start = reached = 0
    links: dict[int, int] = {}
    for token in doc:
        first, last = sorted((token.i, token.head.i))
        links[first] = max(links.get(first, 0), last)
    for number in range(len(doc)):
        if number in starts and start < number and reached < number:
            yield start, number
            start = number
        reached = max(reached, links.get(number, 0))
    if start < len(doc):
        yield start, len(doc)


def spacy_comments(doc: Any, start: int) -> list[str]:
    """Return the comments of the sentence that begins at a token: those of documents in user_data, above the first."""
    given = getattr(doc, "user_data", None) if start == 0 else None
    if not isinstance(given, Mapping):
        return []
    return comment_lines(
        comment_text(name, value)
        for name, value in given.items()
        if isinstance(name, str) and re.match(DOCUMENT_COMMENTS, f"{name} =")
    )


def spacy_words(tokens: list[Any]) -> Iterator[Word]:
    """Yield the words of a sentence, numbered again, without white space that has no dependents."""
    kept = [token for token in tokens if not token.is_space or not all(each.is_space for each in token.subtree)]
    position = {token.i: number for number, token in enumerate(kept, 1)}
    for number, token in enumerate(kept, 1):
        head = 0 if token.head.i == token.i else position.get(token.head.i)
        spaced = bool(token.whitespace_) or is_before_space(token)
        yield Word(number, token.text, token.lemma_, token.pos_, token.tag_, head, token.dep_, spaced, str(token.morph))


def is_before_space(token: Any) -> bool:
    """Return whether the next token is white space, or the text ends."""
    following = token.i + 1
    return following == len(token.doc) or bool(token.doc[following].is_space)


# Stanza
def stanza_words(sentence: Any) -> Iterator[Word]:
    """Yield the words of a sentence, with a range for each token that is several words."""
    for token in sentence.tokens:
        spaced = token.spaces_after != "" and not has_no_space(token.misc)
        words = [read_word(word, "") for word in token.words]
        if len(words) > 1:
            yield Word((words[0].id, words[-1].id), token.text, None, None, None, None, None, spaced)
            yield from words
        else:
            yield from (word._replace(space_after=spaced) for word in words)


def describe_wrong_value(value: Any) -> str:
    """Return the description of a value of the wrong type for messages."""
    name = type(value).__name__
    if isinstance(value, tuple | list):
        return f"{name} of {len(value)}"
    return f"{name} {value!r:.40}" if isinstance(value, str | int | float) else f"a value of type {name}"
