"""Reads sentences and typed words as phrases, without adding them to the lexicon."""

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from aptdb.core.errors import PhraseError, QuestionError
from aptdb.core.phrase import Phrase
from aptdb.core.settings import Settings
from aptdb.corpus.raw_text import parser_called
from aptdb.corpus.sources import Source
from aptdb.counting.reading import chunks_as_tokens
from aptdb.questions.readings import Reading, readings, tell, typed
from aptdb.store import schema
from aptdb.store.database import in_memory
from aptdb.store.session import Session
from aptdb.store.statements import statement


def phrases(session: Session, source: str | Path | BinaryIO) -> list[Phrase]:
    """Return the sentences of a CoNLL-U source as phrases, with lexemes and relations as this lexicon makes them.

    Words are numbered by token order. Words that the lexicon excludes are left out if they have no dependents. Raises
    CorpusError, as file:line if a line is wrong, and PhraseError for a sentence that is not one tree.
    """
    found = []
    with Source(source) as opened:
        for number, rows in sentence_rows(session.settings, opened):
            try:
                found.append(Phrase.from_rows(rows))
            except PhraseError as error:
                raise PhraseError(f"{opened.place}, sentence {number}: {error}") from error
    if not found:
        raise PhraseError(f"{opened.place}: no sentence in it")
    return found


def read(session: Session, text: str, *, parser: str | None = None) -> list[Reading]:
    """Return the phrases that typed words may mean, e.g. `small dog`, the likeliest first, each with its share.

    parser: one that tells instead, as spacy:MODEL, stanza:LANGUAGE or udpipe:FILE; then there is one reading. Raises
    QuestionError for a word that the lexicon lacks, or for words that it can bring into no tree.
    """
    if not isinstance(text, str):
        raise QuestionError(f"the text is {text!r:.60}; expected words, e.g. 'small dog'")
    if parser is None:
        return readings(session, text)
    return [Reading(parsed(session, text, parser), 1.0, f"by {parser}")]


def as_parsed(session: Session, text: str, parser: str) -> Phrase | str:
    """Return a question as a parser reads it, with a warning (ReadAs).

    The text itself if it names a lexeme or an entry.
    """
    if not typed(session, [text]):
        return text
    found = read(session, text, parser=parser)
    tell(text, found)
    return found[0].phrase


def parsed(session: Session, text: str, parser: str) -> Phrase:
    """Return a text as a parser reads it. Raises QuestionError if it is not one sentence."""
    sentences = [each for some in parser_called(parser).sentences([text]) for each in some]
    if len(sentences) != 1:
        raise QuestionError(f"{parser} finds {len(sentences)} sentences in {text!r}; expected one phrase")
    return phrases(session, BytesIO("\n".join([*sentences[0], "", ""]).encode()))[0]


def sentence_rows(settings: Settings, source: Source) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield the sentences of a source as a lexicon with these settings reads them.

    Gives each with its number, and a row for each of its words: position, lexeme (None if it is left out), position
    of the head, relation. Raises CorpusError, which names file and line.
    """
    sentences = 0
    with closing(in_memory()) as scratch, scratch.transaction():
        schema.create(scratch, settings)
        for _ in chunks_as_tokens(scratch, settings, source):
            by_sentence: dict[int, list[tuple[Any, ...]]] = {}
            for sentence, *row in scratch.rows(statement("counting/read/token_rows")):
                by_sentence.setdefault(sentence, []).append(tuple(row))
            for rows in by_sentence.values():
                sentences += 1
                yield sentences, rows
