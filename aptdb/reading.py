"""Reads the sentences of a source into tables, checked and coded: the first half of the statements in `sql/count`.

A chunk becomes the temporary table `token`; what its words and relations are is in the lexicon that is written to. To
read sentences without adding them, `sentence_rows` uses a lexicon in memory with the same settings.
"""

import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, BinaryIO

from aptdb import schema
from aptdb.corpus import Chunk, Source, encoding_fault
from aptdb.database import Database, SqlText
from aptdb.errors import AptError, CorpusError
from aptdb.settings import Settings
from aptdb.statements import statement

RELATION_LEFT_OUT = {"full": "^_$", "universal": "^(_|_?:.*)$"}  # what CoNLL-U writes where there is no relation

# What happens to a chunk, in order. Faults are looked for once it is coded.
READ = ("chunk_line", "word_line", "other_line", "sentence_span", "range_span")
CODE = ("new_word", "add_lexemes", "add_words", "add_relations", "label", "token")


def chunks_as_tokens(
    database: Database, settings: Settings, source: Source
) -> Generator[tuple[Chunk, int], None, None]:
    """Read chunk after chunk into the table `token`; gives each chunk and the number of its tokens.

    To be used within a transaction. Raises CorpusError, naming file and line.
    """
    database.set(
        lexeme_parts=settings.lexeme_parts(),
        has_pos=settings.has_pos(),
        lowercase=settings.lowercase,
        exclude_upos=list(settings.exclude_upos) or SqlText("[]::VARCHAR[]"),
        relations=settings.relations,
        no_relation=RELATION_LEFT_OUT[settings.relations],
    )
    with tempfile.TemporaryDirectory(prefix="aptdb-") as folder, Path(folder, "chunk.conllu").open("wb") as file:
        database.set(chunk_file=file.name)
        for chunk in ahead(source.chunks()):
            overwrite(file, chunk.content)
            read(database, source, chunk)
            run_all(database, CODE)
            if database.value(statement("count/suspect")):
                refuse_fault(database, "first_fault", source, chunk)
            yield chunk, int(database.value("SELECT count(*) FROM token"))


def sentence_rows(settings: Settings, source: Source) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """The sentences of a source as a lexicon with these settings sees them, adding them to none.

    Gives each with its number, and a row for each of its words: position, lexeme (None where its part of speech is left
    out), position of the head, relation. Raises CorpusError, naming file and line.
    """
    sentences = 0
    with closing(Database(Path(":memory:"), read_only=False)) as scratch, scratch.transaction():
        schema.create(scratch, settings)
        for _ in chunks_as_tokens(scratch, settings, source):
            by_sentence: dict[int, list[tuple[Any, ...]]] = {}
            for sentence, *row in scratch.rows(statement("ask/token_rows")):
                by_sentence.setdefault(sentence, []).append(tuple(row))
            for rows in by_sentence.values():
                sentences += 1
                yield sentences, rows


def overwrite(file: BinaryIO, content: bytes) -> None:
    """Make it all that an open file holds, which costs a sixth of making the file anew."""
    file.seek(0)
    file.write(content)
    file.truncate()
    file.flush()


def read(database: Database, source: Source, chunk: Chunk) -> None:
    """Read a chunk's lines into tables. Raises CorpusError where they are not text."""
    try:
        run_all(database, READ)
    except AptError as error:
        line, problem = encoding_fault(chunk) or (0, f"cannot be read: {error}")
        raise CorpusError(f"{source.place}:{chunk.lines_before + line + 1}: {problem}") from error


def refuse_fault(database: Database, question: str, source: Source, chunk: Chunk) -> None:
    """Raise CorpusError for the line that a statement of `sql/count` finds at fault, knowing that one is."""
    run_all(database, ("cut_line",))
    fault = database.run(statement(f"count/{question}")).one()
    raise CorpusError(f"{source.place}:{chunk.lines_before + fault.line + 1}: {fault.problem}")


def run_all(database: Database, names: tuple[str, ...]) -> None:
    """Run statements of `sql/count`, one after another."""
    for name in names:
        text = statement(f"count/{name}")
        (database.run_whole if "RECURSIVE" in text else database.run)(text)


def ahead(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """The same chunks, each unpacked and hashed by another thread while the one before it is counted.

    The thread is never waited for: after an error or Ctrl-C it may hang on a stream that gives no more.
    """
    coming: Queue[Chunk | BaseException | None] = Queue(1)
    given_up = Event()

    def read_on() -> None:
        try:
            for chunk in chunks:
                coming.put(chunk)
                if given_up.is_set():
                    return
            coming.put(None)
        except BaseException as error:
            coming.put(error)

    Thread(target=read_on, daemon=True).start()
    try:
        while (chunk := coming.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk
    finally:
        given_up.set()
        with suppress(Empty):
            coming.get_nowait()
