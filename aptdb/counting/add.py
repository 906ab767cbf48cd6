"""Adds a corpus to a lexicon, as a whole or not at all."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from aptdb.corpus.faults import Screen
from aptdb.corpus.sources import Source
from aptdb.counting.corpora import Addition, Progress
from aptdb.counting.counts_only import count_given
from aptdb.counting.parsed_trees import count_source
from aptdb.counting.reading import LONGEST_SENTENCE
from aptdb.errors import LexiconError
from aptdb.store.session import Session

KEPT_IN_MEMORY = 8 << 20  # bytes of sentences at fault, before they go to disk until the corpus is in


def add(
    session: Session,
    source: Any,
    *,
    name: str | None = None,
    again: bool = False,
    skip_invalid: bool = False,
    rejects: str | Path | None = None,
    max_sentence: int = LONGEST_SENTENCE,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add a corpus of parsed sentences, or of counts without trees.

    source: a file, `-` for standard input, or an open binary stream, also packed (gzip, bzip2, xz, zstd), of
    CoNLL-U, CoNLL-X or CoNLL-2009, or of Parquet or Arrow with the columns sentence, id, form, lemma, upos, head
    and deprel; an Arrow table of those; an iterable of sentences, each of words (dictionaries, objects or tuples of
    id, form, lemma, upos, head, deprel); documents of spaCy or Stanza. Counts are Parquet or TSV of lexeme, path,
    context and count, the same both ways: #⟨w, τ, w'⟩ = #⟨w', τ⁻¹, w⟩.

    name: what the corpus is called, its file's base name if nothing is said. again: count content that is in
    already once more. skip_invalid: leave out sentences at fault, and count them by kind; rejects: a file to which
    they are written, with the reasons. max_sentence: a sentence of more words is at fault. progress is called now
    and then. One transaction: after any error the lexicon is what it was. Raises CorpusError, as file:line where a
    line is at fault, and LexiconError.
    """
    refuse_rejects(rejects, session.file)
    with (
        Source(source) as opened,
        set_aside(skip_invalid, rejects) as (screen, write_rejects),
        session.growing(then=write_rejects) as database,
    ):
        if opened.form() == "counts":
            return count_given(database, session.settings, opened, name=name, again=again)
        return count_source(
            database,
            session.settings,
            opened,
            name=name,
            again=again,
            screen=screen,
            longest=max_sentence,
            progress=progress,
        )


def holds(session: Session, source: str | Path, name: str | None = None) -> bool:
    """Whether a corpus of a file's name, or of the one given, is in already, and has the file's content."""
    if str(source) == "-" or not session.file.exists():
        return False
    try:
        known = dict(session.reading().rows("SELECT name, sha256 FROM _store.corpus"))
    except LexiconError:
        return False
    with Source(source) as opened:
        called = name or opened.name
        return called in known and known[called] == opened.digest_of_all()


@contextmanager
def set_aside(skip: bool, rejects: str | Path | None) -> Iterator[tuple[Screen, Callable[[], None]]]:
    """What becomes of sentences at fault, and what adds those that were skipped to the file, once the corpus is in."""
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
                    f"the corpus is in, but {rejects} cannot be written: {error.strerror}; its faults are those that "
                    "aptdb check tells"
                ) from error

        yield Screen(skip=skip, rejects=None if rejects is None else cast(BinaryIO, kept)), write


def refuse_rejects(rejects: str | Path | None, lexicon: Path) -> None:
    """Raise LexiconError where sentences at fault would go into the lexicon's own file."""
    if rejects is not None and Path(rejects).resolve() == lexicon.resolve():
        raise LexiconError(f"{rejects} is the lexicon; name another file for the sentences that are left out")
