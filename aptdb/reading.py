"""Reads the sentences of a source into tables, checked and coded: the first half of the statements in `sql/count`.

A chunk becomes the temporary table `token`, and its trees the relation `node`; what its words and relations are is in
the lexicon that is written to. To read sentences without adding them, `sentence_rows` uses a lexicon in memory with the
same settings.
"""

import json
import re
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, BinaryIO

from aptdb import schema
from aptdb.corpus import Chunk, Source
from aptdb.database import Database, SqlText, literal
from aptdb.errors import SettingsError
from aptdb.scratch import room_for_scratch, scratch_folder
from aptdb.screening import Fault, Screen, blanked, text_faults
from aptdb.settings import Settings
from aptdb.statements import statement

LONGEST_SENTENCE = 10_000  # words; a head of as many has a hundred million pairs of dependents
COLUMNS_WANTED = {"conllu": "10", "conll2009": "14 or more"}
WORD = re.compile(rb"^[0-9]+(?:\t[^\t\n]*){9}((?:\t[^\t\n]*){4,})?$", re.MULTILINE)  # of 10 columns, or 14 or more

# What happens to a chunk, in order: it is read, then checked, then coded.
READ = ("chunk_line", "word_line", "other_line", "sentence_span", "placed_word", "range_span")
CODE = ("add_words", "add_relations", "label", "token")
JOIN = ("member", "joined_word", "add_joined_words", "joined_node", "node_of_joined")
NAME = ("new_lexeme", "add_lexemes", "name_words")


def chunks_as_tokens(
    database: Database,
    settings: Settings,
    source: Source,
    *,
    screen: Screen | None = None,
    longest: int = LONGEST_SENTENCE,
) -> Generator[tuple[Chunk, int], None, None]:
    """Read chunk after chunk into the table `token`; gives each chunk and the number of its tokens.

    screen: what becomes of sentences at fault, as one of more words than `longest` is. To be used within a transaction.
    Raises CorpusError, naming file and line.
    """
    screen = screen or Screen()
    set_settings(database, settings)
    database.set(max_sentence=longest)
    run_all(database, ("fault_rules",))
    look_for_circles = screen.skip or bool(settings.exclude_relations)
    with scratch_folder() as folder, Path(folder, "chunk.conllu").open("wb") as file:
        database.set(chunk_file=file.name)
        chunks = source.chunks() if source.is_of_this_thread else ahead(source.chunks())
        is_layout_known = False
        for each in chunks:
            is_layout_known = is_layout_known or set_layout(database, each)
            chunk = read_faultless(database, source, each, screen, file, circles=look_for_circles)
            code(database, settings)
            yield chunk, int(database.value("SELECT count(*) FROM token"))


def set_settings(database: Database, settings: Settings) -> None:
    """Let the statements know the settings."""
    texts = SqlText("[]::VARCHAR[]")
    database.set(
        lexeme_parts=settings.lexeme_parts(),
        has_pos=settings.has_pos(),
        lowercase=settings.lowercase,
        nfc=settings.nfc,
        min_token_length=settings.min_token_length,
        exclude_upos=settings.exclude_upos or texts,
        stop_list=settings.stop_list or texts,
        relations=settings.relations,
        exclude_relations=settings.exclude_relations or texts,
        joined_relations=settings.join or texts,
        relation_map=sql_map(dict(settings.relation_map)),
        pos_map=sql_map(dict(settings.pos_map)),
        max_order=settings.order,
    )


def sql_map(names: dict[str, str]) -> SqlText:
    """A dictionary of text as a MAP of SQL."""
    return SqlText(f"MAP({literal([*names])}::VARCHAR[], {literal([*names.values()])}::VARCHAR[])")


def set_layout(database: Database, chunk: Chunk) -> bool:
    """Tell by its first word whether a source is CoNLL-2009; CoNLL-U and CoNLL-X are read alike.

    A line that is a word of neither tells nothing. Returns whether there is a word that does.
    """
    word = WORD.search(chunk.content)
    layout = "conll2009" if word and word[1] else "conllu"
    statements = {"conllu": "count/fields_of_conllu", "conll2009": "count/fields_of_conll2009"}
    database.run(statement(statements[layout]))
    database.set(columns_wanted=COLUMNS_WANTED[layout])
    return bool(word)


def read_faultless(
    database: Database, source: Source, chunk: Chunk, screen: Screen, file: BinaryIO, *, circles: bool
) -> Chunk:
    """Read a chunk's lines into tables, without the sentences that are at fault."""
    while True:
        faults = text_faults(chunk)
        readable = blanked(chunk, faults) if faults else chunk
        overwrite(file, readable.content)
        run_all(database, (*READ, "in_circle" if circles else "no_circle"))
        if database.value(statement("count/suspect")):
            faults += found_faults(database)
        if not faults:
            return chunk
        chunk = screen.without(source, chunk, faults)


def found_faults(database: Database) -> list[Fault]:
    """The faults of the chunk that was read, knowing that there are some."""
    run_all(database, ("cut_line", "fault"))
    return [Fault(*row) for row in database.rows(statement("count/faults"))]


def refuse_circle(database: Database, source: Source, chunk: Chunk) -> None:
    """Raise CorpusError for the first word that no root leads down to, knowing that there is one."""
    run_all(database, ("in_circle",))
    Screen().without(source, chunk, found_faults(database))


def code(database: Database, settings: Settings) -> None:
    """Number the words and relations of the chunk that was read, and make its trees of lexemes."""
    run_all(database, CODE)
    make_nodes(database, settings)


def make_nodes(database: Database, settings: Settings) -> None:
    """Make `node` of `token`: the trees as they are counted; and lexemes of words that are none yet."""
    run_all(database, JOIN if settings.join else ("node",))
    run_all(database, ("normal_word",))
    if settings.has_stem():
        add_stems(database, settings.stemmer)
    run_all(database, NAME)


def add_stems(database: Database, language: str) -> None:
    """Add the stems of the chunk's new words. Raises as `stems_of`."""
    forms = [form for (form,) in database.rows(statement("count/forms_to_stem"))]
    stems = stems_of(language, forms)
    pairs = [{"form": form, "stem": stem} for form, stem in zip(forms, stems, strict=True)]
    database.run(statement("count/add_stems"), {"stems": json.dumps(pairs, ensure_ascii=False)})


def stems_of(language: str, forms: list[str]) -> list[str]:
    """The stem of each word. Raises SettingsError where the stemmer or its language is missing."""
    try:
        import snowballstemmer
    except ImportError as error:
        raise SettingsError("{stem} needs snowballstemmer; install it with: pip install 'aptdb[stem]'") from error
    if language not in snowballstemmer.algorithms():
        known = ", ".join(sorted(snowballstemmer.algorithms()))
        raise SettingsError(f"stemmer is {language!r}; it is one of {known}")
    return list(snowballstemmer.stemmer(language).stemWords(forms))


def sentence_rows(settings: Settings, source: Source) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """The sentences of a source as a lexicon with these settings sees them, adding them to none.

    Gives each with its number, and a row for each of its words: position, lexeme (None where it is left out), position
    of the head, relation. Raises CorpusError, naming file and line.
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
    with room_for_scratch():
        file.seek(0)
        file.write(content)
        file.truncate()
        file.flush()


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
