"""Corpora of trees that are being added: a source that is one, or joined files that are one each."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from aptdb.core.errors import CorpusError
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.joined_files import JoinedFiles, JointHandler, RefusedFilesError, SmallFile
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import steps
from aptdb.counting.count_pairs import mark_all_stale
from aptdb.counting.staging import FORMER, Addition, Progress, content_known, name_taken, note_corpora
from aptdb.counting.steps import run_steps
from aptdb.store.database import Database
from aptdb.store.statements import statement


@dataclass
class NewCorpus:
    """A corpus that is being added. skipped: its invalid sentences that were left out, by kind."""

    id: int
    name: str
    source: Source | SmallFile
    sentences: int = 0
    tokens: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def noted(self) -> dict[str, Any]:
        """Return the record of the corpus, but for its source."""
        counted = {"id": self.id, "name": self.name, "sentences": self.sentences, "tokens": self.tokens}
        return {**counted, "kind": "trees", "has_direct": True, "skipped": self.skipped.total()}


class OpenDocument(NamedTuple):
    """The document that goes on in the next chunk of a corpus, and how many have begun before."""

    name: str
    begun: int = 0


def refuse(why: dict[int, CorpusError]) -> None:
    """Raise RefusedFilesError if some corpora cannot be added. why: the errors, by their places among them."""
    if why:
        raise RefusedFilesError(why)


@contextmanager
def refusing_all(corpora: Sequence[NewCorpus]) -> Iterator[None]:
    """Raise RefusedFilesError for an error within the block, which each of the corpora would have."""
    try:
        yield
    except CorpusError as error:
        raise RefusedFilesError(dict.fromkeys(range(len(corpora)), error)) from None


def place_parts(
    draft: Database, source: Source | JoinedFiles, corpora: Sequence[NewCorpus], open_: OpenDocument
) -> None:
    """Store which lines of the chunk each corpus has. open_: the document of a single corpus that goes on in it."""
    parts = [
        {
            "corpus_id": each.id,
            "corpus": each.name,
            "file": each.source.name,
            "document": open_.name if len(corpora) == 1 else each.name,
            "documents": open_.begun,
            "first_line": first,
        }
        for each, first in zip(corpora, source.firsts, strict=True)
    ]
    draft.set(chunk_parts=json.dumps(parts, ensure_ascii=False))
    run_steps(draft, steps.PARTS)


def note_tokens(draft: Database, corpora: Sequence[NewCorpus], found: int) -> None:
    """Note the tokens of the chunk that each corpus has. found: all of them."""
    if len(corpora) == 1:
        corpora[0].tokens += found
        return
    own = dict(draft.rows(statement("counting/keep/tokens_of_parts")))
    for each in corpora:
        each.tokens = own.get(each.id, 0)


def note_sentences(draft: Database, corpora: Sequence[NewCorpus]) -> None:
    """Note the sentences in a draft that each corpus has."""
    own = dict(draft.rows(statement("counting/keep/sentences_of_corpora")))
    for each in corpora:
        each.sentences = own.get(each.id, 0)


def tell_of_chunk(
    source: Source | JoinedFiles, corpora: Sequence[NewCorpus], chunk: Chunk, progress: Callable[[Progress], None]
) -> None:
    """Report how much of a single corpus was read, which is not all yet."""
    if len(corpora) == 1:
        not_all = chunk.bytes_read if source.size is None else min(chunk.bytes_read, source.size - 1)
        progress(Progress(corpora[0].name, not_all, source.size, corpora[0].tokens))


def tell_of_all(corpora: Sequence[NewCorpus], progress: Callable[[Progress], None]) -> None:
    """Report that all of each corpus was read."""
    for each in corpora:
        progress(Progress(each.name, each.source.bytes_read, each.source.size, each.tokens))


def refuse_useless(
    database: Database, corpora: Sequence[NewCorpus], handler: FaultHandler | JointHandler, *, again: bool
) -> None:
    """Raise RefusedFilesError for corpora without a token to count, or with the content of others."""
    known: dict[str, str] = {}
    for name, digest in corpora_known(database):
        known.setdefault(digest, name)
    why: dict[int, CorpusError] = {}
    for at, each in enumerate(corpora):
        skipped = handler.skipped.get(at, Counter()) if isinstance(handler, JointHandler) else handler.skipped
        if not each.tokens:
            why[at] = CorpusError(f"{each.source.place}: no valid sentence{describe_skipped(skipped)}")
        elif not again and (same := known.setdefault(each.source.digest, each.name)) != each.name:
            why[at] = content_known(each.source, same)
    refuse(why)


def refuse_names_of_others(database: Database, corpora: Sequence[NewCorpus]) -> None:
    """Raise RefusedFilesError for corpora that have the names of others."""
    known = {name for name, _ in corpora_known(database)}
    why = {}
    for at, each in enumerate(corpora):
        if each.name in known:
            why[at] = name_taken(each.name)
        known.add(each.name)
    refuse(why)


def describe_skipped(skipped: Counter[str]) -> str:
    """Return the end of the error for a source without valid sentences."""
    if skipped:
        return f"; {skipped.total():,} were skipped"
    return "; CoNLL-U has a line of 10 columns for each word"


def corpora_known(database: Database) -> list[tuple[str, str]]:
    """Return the names and digests of the corpora, without those that are about to be replaced."""
    return [(name, digest) for name, digest in database.rows(statement("counting/corpora_known"), {"former": FORMER})]


def record_new_corpora(database: Database, corpora: Sequence[NewCorpus]) -> list[Addition]:
    """Record corpora of trees that were added, and that the lexicon has grown."""
    note_corpora(database, [(each.noted(), each.source) for each in corpora])
    mark_all_stale(database)
    return [Addition(each.name, each.sentences, each.tokens, dict(each.skipped)) for each in corpora]
