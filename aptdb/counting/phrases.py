"""Reads sentences as phrases, without adding them to the lexicon."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

from aptdb.corpus.sources import Source
from aptdb.counting.reading import chunks_as_tokens
from aptdb.errors import PhraseError
from aptdb.phrase import Phrase
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import in_memory
from aptdb.store.session import Session
from aptdb.store.statements import statement


def phrases(session: Session, source: str | Path | BinaryIO) -> list[Phrase]:
    """The sentences of a CoNLL-U source as phrases, with lexemes and relations as this lexicon makes them.

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


def sentence_rows(settings: Settings, source: Source) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """The sentences of a source as a lexicon with these settings reads them.

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
