"""Read the sentences of a source into tables, check and code them: the first half of the steps of an addition.

A chunk becomes the temporary table `token`, and its trees the relation `node`. New words and relations are stored in
the lexicon.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import BinaryIO

from aptdb.core.errors import SettingsError
from aptdb.core.settings import LONGEST_SENTENCE, Settings
from aptdb.corpus.dialects import COLUMNS, DIALECTS, Dialect, column_names, declarations_in, dialect_called
from aptdb.corpus.faults import (
    Fault,
    FaultHandler,
    Invalid,
    Places,
    blank_invalid_sentences,
    find_unreadable,
    pick_lines,
)
from aptdb.corpus.joined_files import JoinedFiles, JointHandler
from aptdb.corpus.parsed import DOCUMENT_COMMENTS
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import steps
from aptdb.counting.metadata import kept_comments
from aptdb.counting.steps import run_steps
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, literal, statement
from aptdb.store.temporary_folders import room_for_scratch, scratch_folder

PAIRS = 1_000  # of words, for each word of the longest sentence; a head of 10,000 has a hundred million of dependents


def chunks_as_tokens(
    database: Database,
    settings: Settings,
    source: Source | JoinedFiles,
    *,
    handler: FaultHandler | JointHandler | None = None,
    longest: int = LONGEST_SENTENCE,
    comments: Iterable[str] = (),
    known: SqlText | None = None,
    with_misc: bool = False,
) -> Generator[tuple[Chunk, int], None, None]:
    """Read chunk after chunk into the table `token`; yield each chunk and its number of tokens.

    handler: what to do with invalid sentences. A sentence with more than `longest` words, or with more than a thousand
    times as many pairs to count, is invalid too. comments: names of comments of sentences to keep. known: a store whose
    words and lexemes are taken over when they are met. with_misc: whether MISC and DEPS are read. Use it within a
    transaction. Raises CorpusError, naming file and line.
    """
    handler = handler or FaultHandler()
    set_rules(database, settings, longest, comments)
    database.set(with_misc=with_misc)
    look_for_circles = looks_for_circles(settings, handler)
    with scratch_folder(database.scratch) as folder, Path(folder, "chunk.conllu").open("wb") as file:
        chunks = source.chunks() if source.is_of_this_thread else read_ahead(source.chunks())
        dialect: Dialect | None = None
        for each in chunks:
            dialect = dialect or set_dialect(database, source, each, settings)
            read_faultless(
                database, source, each, handler, file, dialect=dialect or DIALECTS[0], circles=look_for_circles
            )
            code_chunk(database, settings, known)
            yield each, int(database.value("SELECT count(*) FROM token"))


def set_rules(database: Database, settings: Settings, longest: int, comments: Iterable[str] = ()) -> None:
    """Set the variables of reading and counting; the arguments are those of `chunks_as_tokens`."""
    set_settings(database, settings)
    limit_sentences(database, longest)
    database.set(kept_comments=kept_comments(comments), document_comments=DOCUMENT_COMMENTS)
    run_steps(database, steps.RULES)


def looks_for_circles(settings: Settings, handler: FaultHandler | JointHandler) -> bool:
    """Return whether circles are looked for in each chunk; else they are found when nodes are packed."""
    return handler.skip or isinstance(handler, JointHandler) or bool(settings.exclude_relations)


def set_settings(database: Database, settings: Settings) -> None:
    """Set the variables for the settings of the lexicon."""
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
        with_misc=False,
    )
    database.run(statement("counting/code/of_settings"))


def limit_sentences(database: Database, longest: int) -> None:
    """Set the limits of words, and of pairs of words, in a sentence."""
    database.set(max_sentence=longest, max_pairs=PAIRS * longest)


def sql_map(names: dict[str, str]) -> SqlText:
    """Return a dictionary of texts as an SQL MAP."""
    return SqlText(f"MAP({literal([*names])}::VARCHAR[], {literal([*names.values()])}::VARCHAR[])")


def set_dialect(database: Database, source: Source | JoinedFiles, chunk: Chunk, settings: Settings) -> Dialect | None:
    """Set the dialect of CoNLL in which the database reads, by a chunk; return it.

    Where the chunk has no word yet, CoNLL-U is set, and None returned. A line that is a word in no dialect is skipped.
    Warns of declared columns that are not read. Raises CorpusError (RefusedFilesError for joined files) if they do not
    suffice.
    """
    found = source.dialect_in(chunk)
    if found:
        source.accept(found, settings)
    tell_dialect(database, found or DIALECTS[0])
    return found


def tell_dialect(database: Database, dialect: Dialect) -> None:
    """Set the dialect of CoNLL of a chunk."""
    if dialect == DIALECTS[0]:
        database.run(statement("counting/read/fields_of_conllu"))
    else:
        read = [f"{'head' if name == 'HEAD' else 'column'}_of(line, %d, %d)" for name in COLUMNS]
        fields = SqlText(", ".join(each % places for each, places in zip(read, dialect.places, strict=True)))
        size = {"before": dialect.places[0][0] - 1, "least": dialect.least, "most": dialect.most}
        database.run(statement("counting/read/fields_of_dialect", **size, fields=fields))
    database.set(columns_wanted=dialect.columns)


def refuse_other_columns(source: Places, chunk: Chunk, dialect: Dialect, handler: FaultHandler | JointHandler) -> None:
    """Raise CorpusError where a chunk declares other columns than those by which it is read."""
    for each in declarations_in(chunk.content):
        if dialect_called(" ".join(column_names(each.text))) != dialect:
            problem = "global.columns after lines with other columns; a file has it first: cut this one here in two"
            handler.refuse(source, chunk, Fault(each.line, "columns", problem, 1))


def read_faultless(
    database: Database,
    source: Places,
    chunk: Chunk,
    handler: FaultHandler | JointHandler,
    file: BinaryIO,
    *,
    dialect: Dialect,
    circles: bool,
) -> None:
    """Read the lines of a chunk into tables, without its invalid sentences. Raises CorpusError.

    The chunk is read once: sentences that are not text are blanked before, and other invalid sentences are taken out of
    the tables.
    """
    refuse_other_columns(source, chunk, dialect, handler)
    invalid = find_unreadable(chunk.content)
    database.set(chunk_file=file.name)
    rewrite_open_file(file, blank_invalid_sentences(chunk.content, invalid))
    run_steps(database, steps.READ, steps.CIRCLES if circles else steps.NO_CIRCLES)
    if found := database.value(statement("counting/faults/suspect")):
        if not circles and not handler.skip:
            run_steps(database, steps.CIRCLES)  # one may be the first fault of the chunk
        invalid += invalid_sentences(database, chunk)
    if invalid:
        handler.leave_out(source, chunk, invalid, dialect.declaration)
    if found:
        run_steps(database, steps.LEAVE_OUT)


def invalid_sentences(database: Database, chunk: Chunk) -> list[Invalid]:
    """Return the invalid sentences of the current chunk. Only suspect lines are read again."""
    run_steps(database, steps.SUSPECT)
    suspect = database.rows("SELECT line FROM suspect_line ORDER BY line")
    with Path(database.scratch, "suspect.conllu").open("wb") as file:
        rewrite_open_file(file, pick_lines(chunk.content, [line for (line,) in suspect]))
        database.set(chunk_file=file.name)
        run_steps(database, steps.FAULTS)
    found: dict[int, Invalid] = {}
    for first, last, *fault in database.rows(statement("counting/faults/faults")):
        found.setdefault(first, Invalid(first, last, [])).faults.append(Fault(*fault))
    return [*found.values()]


def refuse_rootless_word(database: Database, source: Places, chunk: Chunk, handler: FaultHandler) -> None:
    """Raise CorpusError for the first word that cannot be reached from a root; there must be one."""
    run_steps(database, steps.CIRCLES)
    handler.leave_out(source, chunk, invalid_sentences(database, chunk))


def code_chunk(database: Database, settings: Settings, known: SqlText | None = None) -> None:
    """Replace words and relations of the current chunk by ids, and make `node`, the trees of lexemes that are counted.

    known: a store whose words and lexemes are taken over when they are met.
    """
    if known:
        database.run(statement("counting/draft/take_words", own=known))
        database.run(statement("counting/draft/take_annotations", own=known))
    run_steps(database, steps.CODE, steps.JOIN if settings.join else steps.STAND, steps.NORMAL)
    if settings.has_stem():
        add_stems(database, settings.stemmer)
    run_steps(database, steps.MEET)
    if known:
        database.run(statement("counting/draft/take_lexemes", own=known))
    run_steps(database, steps.NAME)


def add_stems(database: Database, language: str) -> None:
    """Add the stems of new words. Raise like `stems_of`."""
    forms = [form for (form,) in database.rows(statement("counting/code/forms_to_stem"))]
    stems = stems_of(language, forms)
    pairs = [{"form": form, "stem": stem} for form, stem in zip(forms, stems, strict=True)]
    database.run(statement("counting/code/add_stems"), {"stems": json.dumps(pairs, ensure_ascii=False)})


def stems_of(language: str, forms: list[str]) -> list[str]:
    """Return the stem of each word. Raise SettingsError if the stemmer or its language is missing."""
    try:
        import snowballstemmer
    except ImportError as error:
        raise SettingsError("{stem} needs snowballstemmer; install it with: pip install 'aptdb[stem]'") from error
    if language not in snowballstemmer.algorithms():
        known = ", ".join(sorted(snowballstemmer.algorithms()))
        raise SettingsError(f"stemmer is {language!r}; expected one of {known}")
    return list(snowballstemmer.stemmer(language).stemWords(forms))


def rewrite_open_file(file: BinaryIO, parts: Iterable[bytes | memoryview]) -> None:
    """Replace the contents of an open file, which is six times as fast as creating a new file."""
    with room_for_scratch():
        file.seek(0)
        file.writelines(parts)
        file.truncate()
        file.flush()


def read_ahead(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yield the same chunks; another thread unpacks and hashes the next one while the current one is counted.

    We never wait for the thread: after an error or Ctrl-C it may hang on a stream that gives nothing more.
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
