"""Add corpora to a lexicon, each completely or not at all; of many files, small ones share chunks and transactions."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replace_field
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from aptdb.core.errors import (
    AptError,
    CorpusError,
    LexiconError,
    QuestionError,
    SettingsError,
    refuse_no_bool,
    warn,
    warnings_heard,
)
from aptdb.core.one_line import HALF_PAIR
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.corpus import sources
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.joined_files import JoinedFiles, JointHandler, RefusedFilesError, SmallFile, small_file
from aptdb.corpus.sources import Source
from aptdb.counting.check import collect_notes
from aptdb.counting.count_trees import count_joined, count_source
from aptdb.counting.counts_folders import add_folder, folder_at
from aptdb.counting.counts_only import add_counts
from aptdb.counting.metadata import Given, given_metadata
from aptdb.counting.staging import Addition, Progress, last_id
from aptdb.counting.stored_corpora import replacing
from aptdb.store.counts_folder import is_counts_folder, refuse_elsewhere
from aptdb.store.file_writing import as_private_as
from aptdb.store.interrupts import ALL_WRITTEN
from aptdb.store.session import Session

SKIPPING = "; --skip-invalid leaves out such sentences"
KEPT_IN_MEMORY = 8 << 20  # bytes of skipped sentences kept in memory; more go to a temporary file


def add(
    session: Session,
    source: Any,
    *,
    name: str | None = None,
    again: bool = False,
    replace: bool = False,
    skip_invalid: bool = False,
    rejects: str | Path | None = None,
    max_sentence: int = LONGEST_SENTENCE,
    meta: str | Path | None = None,
    tags: Mapping[str, Any] | None = None,
    sentence_meta: Sequence[str] | None = None,
    meta_from: Sequence[str] | None = None,
    origin: str | None = None,
    without_misc: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    r"""Add a corpus of parsed sentences, or of counts without trees.

    source: a file, `-` for standard input, or an open binary stream, also packed (gzip, bzip2, xz, zstd), of
    CoNLL-U, CoNLL-U Plus (with # global.columns), CoNLL-X, CoNLL-2008 or CoNLL-2009, or of Parquet or Arrow with the
    columns sentence, id, form, lemma, upos, head and deprel; an Arrow table with these columns; an iterable of
    sentences, each of words (dictionaries, objects or tuples of id, form, lemma, upos, head, deprel); documents of
    spaCy or Stanza. Counts are Parquet or TSV with lexeme, path, context and count; or a folder that aptdb count has
    made. They must be the same both ways: #⟨w, τ, w'⟩ = #⟨w', τ⁻¹, w⟩. Counts of arcs may have head, relation,
    dependent and count instead.

    name: the name of the corpus, by default the base name of the file. again: count the content even if it was added
    before. replace: remove the corpus with this name, if there is one, in the same transaction. skip_invalid: leave out
    invalid sentences, and count them by kind; rejects: a file that they are written to, with the reasons. max_sentence:
    a sentence with more words is invalid, and one that has more than a thousand times as many pairs of words to count.
    progress is called from time to time.

    Documents begin at `# newdoc id = …`, and `# meta::genre = …` and `# doc_title = …` say something of them; a comment
    is of the sentence that it stands above, in any order. A Doc of spaCy has them in user_data, by these names:
    {'newdoc id': 'a', 'meta::genre': 'news'}. meta: a table that says more (.csv, .tsv or .parquet, with a column
    document). tags: values for all documents of the corpus, by name.
    sentence_meta: which comments of sentences are kept, e.g. ['speaker']; by default those that earlier additions kept.
    meta_from: patterns SOURCE:REGEX, whose named groups become metadata, e.g. r'sent_id:^(?P<year>\d{4})'. SOURCE is
    sent_id, document, file (the name of the file), or the name of a comment (meta::… for one of documents).
    origin: what the lexicon records as the source, by default the name of the file without its folders. without_misc:
    leave out MISC and DEPS, which are else stored beside the trees; they are never counted.

    A new lexicon, and rejects, are only for those who may read the corpus.

    One transaction: after an error the lexicon is unchanged. Raises CorpusError, as file:line if a line is wrong, and
    LexiconError.
    """
    refuse_no_bool(again=again, replace=replace, skip_invalid=skip_invalid, without_misc=without_misc)
    refuse_rejects_over_lexicon(rejects, session.file)
    given = given_metadata(meta, tags, sentence_meta, meta_from)
    refuse_no_origin(origin)
    refuse_elsewhere(source)
    if isinstance(source, str | Path) and is_counts_folder(source):
        refuse_metadata(given, str(source))
        with as_private_as(Path(source)):
            return add_folder(session, source, name=name, again=again, replace=replace, origin=origin)
    how: dict[str, Any] = {"again": again, "longest": max_sentence, "given": given, "progress": progress}
    how["with_misc"] = not without_misc
    with (
        as_private_as(*([Path(source)] if isinstance(source, str | Path) else [])),
        Source(source, origin) as opened,
        set_aside(skip_invalid, rejects) as (handler, write_rejects),
        session.growing(then=write_rejects) as database,
    ):
        corpus = name or opened.name
        if opened.corpus_kind() == "counts":
            refuse_metadata(given, opened.place)
            with replacing(database, session.settings, [corpus], replace=replace):
                return add_counts(database, session.settings, opened, name=name, again=again)
        known = last_id(database, "lexeme")
        with replacing(database, session.settings, [corpus], replace=replace):
            added = count_source(database, session.settings, opened, name=name, handler=handler, **how)
        notes = collect_notes(database, session.settings, [added], known)
    for message, category in notes.items():
        warn(message, category)
    return added


def add_joined(
    session: Session,
    files: Sequence[SmallFile],
    names: Sequence[str],
    *,
    again: bool,
    replace: bool,
    skip_invalid: bool,
    rejects: str | Path | None,
    max_sentence: int,
    given: Given,
    origin: str | None = None,
    without_misc: bool = False,
    progress: Callable[[Progress], None],
) -> list[Addition]:
    """Add small files as corpora of these names, all in one transaction and one chunk. The others: see `add`.

    Raises RefusedFilesError, with all files in which something is wrong.
    """
    refuse_no_bool(again=again, replace=replace, skip_invalid=skip_invalid, without_misc=without_misc)
    refuse_rejects_over_lexicon(rejects, session.file)
    refuse_no_origin(origin)
    joined = JoinedFiles([each if origin is None else replace_field(each, origin=origin) for each in files])
    how: dict[str, Any] = {"again": again, "longest": max_sentence, "given": given, "progress": progress}
    how["with_misc"] = not without_misc
    with (
        warnings_heard() as heard,
        as_private_as(*(Path(each.file) for each in files)),
        set_aside(skip_invalid, rejects) as (handler, write_rejects),
        session.growing(then=write_rejects) as database,
    ):
        handlers = JointHandler(joined, handler)
        known = last_id(database, "lexeme")
        with replacing(database, session.settings, names, replace=replace):
            added = count_joined(database, session.settings, joined, names, handler=handlers, **how)
        notes = collect_notes(database, session.settings, added, known)
    for message, category in {**heard, **notes}.items():
        warn(message, category)
    return added


def refuse_no_origin(origin: object) -> None:
    """Raise CorpusError for an origin that no lexicon can record."""
    if origin is not None and not (isinstance(origin, str) and origin.strip() and not HALF_PAIR.search(origin)):
        raise CorpusError(f"source is {origin!r:.60}; expected text in UTF-8, e.g. 'UD English EWT 2.14'")


def refuse_metadata(given: Given, place: str) -> None:
    """Raise CorpusError if metadata is given for a corpus of counts, which has no documents."""
    if given != Given():
        raise CorpusError(f"{place} has counts without documents; metadata is of documents")


def is_added(session: Session, source: str | Path, name: str | None = None) -> bool:
    """Return whether the lexicon has a corpus of this file's name (or the given name) with the same content."""
    if str(source) == "-" or not session.file.exists():
        return False
    try:
        known = dict(session.reading().rows("SELECT name, sha256 FROM _store.corpus"))
    except LexiconError:
        return False
    called = name or (folder_at(source).name if is_counts_folder(source) else Source(source).name)
    return called in known and known[called] == digest_source(source)


def digest_source(source: str | Path) -> str:
    """Return the digest of the content of a file, or of a folder of counts. Raise CorpusError if it cannot be read."""
    if is_counts_folder(source):
        return folder_at(source).digest
    with Source(source) as opened:
        return opened.digest_of_all()


@contextmanager
def set_aside(skip: bool, rejects: str | Path | None) -> Iterator[tuple[FaultHandler, Callable[[], None]]]:
    """Return a fault handler, and a function that writes skipped sentences to a file after the addition."""
    with tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY) as kept:

        def write() -> None:
            if rejects is None or not kept.tell():
                return
            kept.seek(0)
            try:
                with Path(rejects).open("ab") as file:
                    file.writelines(kept)
            except OSError as error:
                raise LexiconError(
                    f"the corpus is added, but {rejects} cannot be written: {error.strerror}; see the faults with: "
                    "aptdb verify"
                ) from error

        yield FaultHandler(skip, None if rejects is None else cast(BinaryIO, kept), mend=SKIPPING), write


def refuse_rejects_over_lexicon(rejects: str | Path | None, lexicon: Path) -> None:
    """Raise LexiconError if invalid sentences would overwrite the lexicon."""
    if rejects is not None and os.path.realpath(rejects) == os.path.realpath(lexicon):
        raise LexiconError(f"{rejects} is the lexicon itself; name another file for the skipped sentences")


OF_METADATA = ("meta", "tags", "sentence_meta", "meta_from")  # parameters of `add`


class Wanted(NamedTuple):
    """A file that is to be added, and the name of its corpus."""

    file: str
    name: str | None


@dataclass(frozen=True)
class Outcome:
    """What became of a file: an addition, an error, or neither if the lexicon had it before."""

    wanted: Wanted
    added: Addition | None = None
    error: AptError | None = None


class Read(NamedTuple):
    """A small file that was read, and its place among those that are to be added."""

    at: int
    wanted: Wanted
    file: SmallFile

    @property
    def name(self) -> str:
        """Return the name of its corpus."""
        return self.wanted.name or self.file.name


class Stopped(KeyboardInterrupt):
    """Ctrl-C while the first of some files were added. there: how many of them are in the lexicon."""

    def __init__(self, stopped: KeyboardInterrupt, there: int) -> None:
        super().__init__(*stopped.args)
        self.there = there


def add_files(
    session: Session, files: Sequence[Wanted], how: Mapping[str, Any], *, skip_held: bool
) -> Iterator[list[Outcome]]:
    """Add files in order; yield the outcomes of those added together, up to the first error. Raises Stopped.

    how: the parameters of `add`. skip_held: leave out files that the lexicon has already, under the same name.
    """
    left = files
    while left:
        outcomes = add_first(session, left, how, skip_held=skip_held)
        yield outcomes
        left = [] if outcomes[-1].error else left[len(outcomes) :]


def add_first(
    session: Session,
    files: Sequence[Wanted],
    how: Mapping[str, Any],
    *,
    skip_held: bool = False,
    keep_going: bool = False,
) -> list[Outcome]:
    """Add the first of some files, and those after it that fit into a chunk with it; return their outcomes in order.

    Those that are right go in together, in one transaction; without keep_going, those before the first that is not. A
    file that another process added meanwhile counts as one that the lexicon had before. Raises Stopped.
    """
    known = read_known_digests(session) if skip_held else {}
    small, found = read_small_files(files, known, keep_going=keep_going)
    try:
        if not small and not found:
            add_alone(session, 0, files[0], how, found, skip_held=skip_held)
        add_joined_files(session, small, how, found, keep_going=keep_going)
    except KeyboardInterrupt as stopped:
        raise Stopped(stopped, sum(not each.error for each in found.values())) from None
    if skip_held and (refused := [each for each in small if each.at in found and found[each.at].error]):
        known = read_known_digests(session)
        found |= {each.at: Outcome(each.wanted) for each in refused if known.get(each.name) == each.file.digest}
    outcomes = [found[at] for at, _ in takewhile(lambda each: each[0] in found, enumerate(files))]
    first = next((at for at, each in enumerate(outcomes) if each.error and not keep_going), len(outcomes))
    return outcomes[: first + 1]


def read_small_files(
    files: Sequence[Wanted], known: Mapping[str, str], *, keep_going: bool
) -> tuple[list[Read], dict[int, Outcome]]:
    """Read the files at the beginning of a list that can be added together; return them, and the outcomes of others.

    Together they fit into one chunk and share a dialect. Reading ends before a file that does not fit in, or is no
    text; without keep_going also at one that cannot be read. Of a single file nothing is read. known: digests of
    corpora that are not added again, by their names. Outcomes, by place in the list: of those, and of errors.
    """
    small: list[Read] = []
    found: dict[int, Outcome] = {}
    size = 0
    for at, wanted in enumerate(files if len(files) > 1 else ()):
        try:
            file = small_file(wanted.file)
        except CorpusError as error:
            found[at] = Outcome(wanted, error=error)
            if keep_going:
                continue
            break
        size += len(file.chunk.content) if file else 0
        if file is None or size > sources.CHUNK_BYTES or (small and file.dialect != small[0].file.dialect):
            break
        read = Read(at, wanted, file)
        if known.get(read.name) == file.digest:
            found[at] = Outcome(wanted)
        else:
            small.append(read)
    return small, found


def add_joined_files(
    session: Session, small: Sequence[Read], how: Mapping[str, Any], found: dict[int, Outcome], *, keep_going: bool
) -> None:
    """Add small files together; note their outcomes, by their places, as they go in."""
    while len(small) > 1:
        try:
            with noting_written(found, {each.at: each.wanted for each in small}):
                added = add_together(session, small, how)
            found |= {each.at: Outcome(each.wanted, own) for each, own in zip(small, added, strict=True)}
            return
        except RefusedFilesError as refused:
            first = min(refused.why)
            wrong = refused.why if keep_going else {first: refused.why[first]}
            found |= {small[at].at: Outcome(small[at].wanted, error=why) for at, why in wrong.items()}
            small = [each for at, each in enumerate(small) if (at not in wrong if keep_going else at < first)]
        except SettingsError as error:
            found |= {each.at: Outcome(each.wanted, error=error) for each in small}
            return
        except (CorpusError, QuestionError):  # of one of them: it is in one half
            half = len(small) // 2
            add_joined_files(session, small[:half], how, found, keep_going=keep_going)
            if not keep_going and any(each.at in found and found[each.at].error for each in small[:half]):
                return
            small = small[half:]
    for each in small:
        add_alone(session, each.at, each.wanted, how, found, skip_held=False)


@contextmanager
def noting_written(found: dict[int, Outcome], files: Mapping[int, Wanted]) -> Iterator[None]:
    """Note that files are in the lexicon where Ctrl-C within the block came after they were written."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        if str(stopped) == ALL_WRITTEN:
            found |= {at: Outcome(wanted) for at, wanted in files.items()}
        raise


def add_together(session: Session, small: Sequence[Read], how: Mapping[str, Any]) -> list[Addition]:
    """Add small files in one transaction. Raises like `add_joined`."""
    given = given_metadata(*(how[name] for name in OF_METADATA))
    others = {name: value for name, value in how.items() if name not in OF_METADATA}
    return add_joined(session, [each.file for each in small], [each.name for each in small], given=given, **others)


def add_alone(
    session: Session, at: int, wanted: Wanted, how: Mapping[str, Any], found: dict[int, Outcome], *, skip_held: bool
) -> None:
    """Add one file by itself; note its outcome, by its place."""
    try:
        if skip_held and is_added(session, *wanted):
            found[at] = Outcome(wanted)
            return
        with noting_written(found, {at: wanted}):
            found[at] = Outcome(wanted, add(session, wanted.file, name=wanted.name, **how))
    except (CorpusError, SettingsError, QuestionError) as error:
        found[at] = Outcome(wanted) if skip_held and is_added(session, *wanted) else Outcome(wanted, error=error)


def read_known_digests(session: Session) -> dict[str, str]:
    """Return the digests of the corpora in a lexicon, by their names; none if it cannot be read."""
    try:
        return read_recorded_digests(session)
    except LexiconError:  # which says more of it when we write
        return {}


def read_recorded_digests(session: Session) -> dict[str, str]:
    """Return the digests of the corpora in a lexicon, by their names."""
    return {} if session.is_empty() else dict(session.reading().rows("SELECT name, sha256 FROM _store.corpus"))
