"""Add a corpus to a lexicon, completely or not at all."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from aptdb.core.errors import CorpusError, LexiconError, refuse_no_bool, warn, warnings_heard
from aptdb.core.one_line import HALF_PAIR
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.joined_files import JoinedFiles, JointHandler, SmallFile
from aptdb.corpus.sources import Source
from aptdb.counting.check import notes_of
from aptdb.counting.count_trees import count_joined, count_source
from aptdb.counting.counts_folders import add_folder, folder_at
from aptdb.counting.counts_only import add_counts
from aptdb.counting.metadata import Given, given_metadata
from aptdb.counting.staging import Addition, Progress, last_id
from aptdb.counting.stored_corpora import replacing
from aptdb.store.counts_folder import is_counts_folder, refuse_elsewhere
from aptdb.store.file_writing import as_private_as
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
    origin: what the lexicon records as the source, by default the name of the file without its folders.

    A new lexicon, and rejects, are only for those who may read the corpus.

    One transaction: after an error the lexicon is unchanged. Raises CorpusError, as file:line if a line is wrong, and
    LexiconError.
    """
    refuse_no_bool(again=again, replace=replace, skip_invalid=skip_invalid)
    refuse_rejects_over_lexicon(rejects, session.file)
    given = given_metadata(meta, tags, sentence_meta, meta_from)
    refuse_no_origin(origin)
    refuse_elsewhere(source)
    if isinstance(source, str | Path) and is_counts_folder(source):
        refuse_metadata(given, str(source))
        with as_private_as(Path(source)):
            return add_folder(session, source, name=name, again=again, replace=replace, origin=origin)
    how: dict[str, Any] = {"again": again, "longest": max_sentence, "given": given, "progress": progress}
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
        notes = notes_of(database, session.settings, [added], known)
    notes.warn()
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
    progress: Callable[[Progress], None],
) -> list[Addition]:
    """Add small files as corpora of these names, all in one transaction and one chunk. The others: see `add`.

    Raises RefusedFilesError, with all files in which something is wrong.
    """
    refuse_no_bool(again=again, replace=replace, skip_invalid=skip_invalid)
    refuse_rejects_over_lexicon(rejects, session.file)
    refuse_no_origin(origin)
    joined = JoinedFiles([each.of_origin(origin) for each in files])
    how: dict[str, Any] = {"again": again, "longest": max_sentence, "given": given, "progress": progress}
    with warnings_heard() as heard:
        with (
            as_private_as(*(Path(each.file) for each in files)),
            set_aside(skip_invalid, rejects) as (handler, write_rejects),
            session.growing(then=write_rejects) as database,
        ):
            handlers = JointHandler(joined, handler)
            known = last_id(database, "lexeme")
            with replacing(database, session.settings, names, replace=replace):
                added = count_joined(database, session.settings, joined, names, handler=handlers, **how)
            notes = notes_of(database, session.settings, added, known)
        notes.warn()
    for message, category in heard.items():
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


def holds(session: Session, source: str | Path, name: str | None = None) -> bool:
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
                    "aptdb check"
                ) from error

        yield FaultHandler(skip, None if rejects is None else cast(BinaryIO, kept), mend=SKIPPING), write


def refuse_rejects_over_lexicon(rejects: str | Path | None, lexicon: Path) -> None:
    """Raise LexiconError if invalid sentences would overwrite the lexicon."""
    if rejects is not None and os.path.realpath(rejects) == os.path.realpath(lexicon):
        raise LexiconError(f"{rejects} is the lexicon itself; name another file for the skipped sentences")
