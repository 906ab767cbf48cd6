"""Staging of an addition: its corpora, and their words, trees and counts beside the lexicon before they go into it.

A transaction of DuckDB keeps every temporary table until it ends, even dropped ones. So an addition reads and counts
chunk by chunk in a separate store, in memory and temporary files, where each chunk is a transaction. Then everything
goes into the lexicon in one transaction. The ids are those of the lexicon: the draft begins with its words and paths,
or takes over its words and lexemes when they are met. The corpora of trees in it are a source that is one, or joined
files that are one each.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from aptdb.core.errors import AptError, CorpusError, LexiconError
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.joined_files import JoinedFiles, JointHandler, RefusedFilesError, SmallFile, refuse
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import steps
from aptdb.counting.count_pairs import mark_all_stale
from aptdb.counting.steps import run_steps
from aptdb.store import schema, version
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, identifier, statement
from aptdb.store.version import __version__


class Origin(Protocol):
    """The origin of a corpus."""

    @property
    def place(self) -> str:
        """Return the name of the source in messages."""

    @property
    def origin(self) -> str:
        """Return what a lexicon records as the source: the text that was given, or the name without its folders."""

    @property
    def digest(self) -> str:
        """Return the sha256 of the content, in hexadecimal."""


FORMER = "/former "  # before the name of a corpus that is about to be replaced; no file has such a name


@dataclass(frozen=True)
class Addition:
    """The result of an addition. skipped: the number of invalid sentences that were left out, by kind.

    >>> lexicon.add("more.conllu").skipped
    """

    corpus: str
    sentences: int
    tokens: int
    skipped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """Progress of an addition: bytes read, bytes in all (None if unknown), and tokens. step: what Spark does, in words.

    >>> lexicon.add("more.conllu", progress=lambda now: print(now.tokens))
    """

    corpus: str
    bytes_read: int
    size: int | None
    tokens: int
    step: str = ""


def note_corpora(database: Database, corpora: Iterable[tuple[dict[str, Any], Origin]]) -> None:
    """Record corpora that were added."""
    rows = [{"has_misc": False, **what, "source": source.origin, "sha256": source.digest} for what, source in corpora]
    when = {"added_at": schema.now(), "version": __version__}
    database.run(statement("counting/add_corpora"), {"corpora": json.dumps(rows, ensure_ascii=False), **when})


def refuse_name_of_corpus(database: Database, name: str) -> None:
    """Raise CorpusError if the lexicon has a corpus with this name."""
    if database.value("SELECT EXISTS (FROM _store.corpus WHERE name = $name)", {"name": name}):
        raise name_taken(name)


def name_taken(name: str) -> CorpusError:
    """Return the error for a corpus whose name another one has."""
    return CorpusError(
        f"the lexicon already has a corpus {name}; replace := true replaces it, name := 'NAME' renames this one"
    )


def refuse_content(database: Database, source: Origin) -> None:
    """Raise CorpusError if the same bytes were added before."""
    asked = {"digest": source.digest, "former": FORMER}  # a corpus that is about to be replaced does not count
    if same := database.value(statement("counting/same_content"), asked):
        raise content_known(source, same)


def content_known(source: Origin, same: str) -> CorpusError:
    """Return the error for a content that another corpus has."""
    return CorpusError(
        f"{source.place}: the same content was added before, as corpus {same}; to count it twice: again := true"
    )


def next_corpus(database: Database) -> int:
    """Return the id of the next corpus."""
    return 1 + last_id(database, "corpus")


def last_id(database: Database, table: str) -> int:
    """Return the greatest id of a table, 0 if it is empty."""
    return int(database.value(statement("counting/last_id", table=SqlText(table))))


def corpus_called(database: Database, name: str) -> Any:
    """Return the id and kind of a corpus, and whether its direct counts are known.

    Raises CorpusError, which lists the names.
    """
    found = database.first("SELECT id, kind, has_direct FROM _store.corpus WHERE name = $name", {"name": name})
    if found is None:
        names = [row[0] for row in database.rows(statement("store/corpora"))]
        raise CorpusError(f"no corpus {name}; the lexicon has {', '.join(names) or 'none'}")
    return found


OWN = SqlText(version.SCHEMA)  # the store of the database in use
NAMES = ("word", "relation", "annotation", "lexeme", "path")  # tables that the draft shares with the lexicon
MANY = ("word", "annotation", "lexeme")  # those that grow with it
TREES = ("document", "sentence", "token", "joined")
COUNTS = ("counted", "counted_lexeme")


class Draft:
    """The staging store of one addition.

    database: a connection in which it is the default store. own: the name of the lexicon's store there. store: the name
    of the draft in the lexicon's connection. known: the store that it takes words and lexemes from when they are met;
    None if it has them all. documents_before: the id of the lexicon's last document.
    """

    def __init__(
        self, lexicon: Database, database: Database, own: SqlText, store: SqlText, known: SqlText | None
    ) -> None:
        self._lexicon = lexicon
        self._last_before = last_id(lexicon, "sentence")
        self.database = database
        self.own = own
        self.store = store
        self.known = known
        self.documents_before = last_id(lexicon, "document")

    def last_sentence(self) -> int:
        """Return the id of the last sentence in the lexicon and the draft."""
        return max(self._last_before, last_id(self.database, "sentence"))

    def bring_trees(self) -> None:
        """Move the words and trees into the lexicon, within its transaction.

        From then on the transaction sees the draft as it is now, and no later changes.
        """
        self.database.go_on()
        self._refuse_unseen([*NAMES, *TREES])
        self._lexicon.run(statement("counting/draft/name_words", draft=self.store))
        for table in NAMES:
            self._lexicon.run(statement("counting/draft/bring_new", draft=self.store, table=SqlText(table)))
        for table in TREES:
            self._lexicon.run(statement("counting/draft/bring_all", draft=self.store, table=SqlText(table)))

    def bring_counts(self, sign: int, sign_of_merged: int | None = None) -> Database:
        """Let the lexicon's transaction see the counts, as `added` and `counted_lexeme`; return its database.

        sign: 1 to add them, -1 to subtract them, 0 to leave them out. sign_of_merged: the same for what is merged.
        """
        self.database.go_on()
        self._refuse_unseen(COUNTS)
        self._lexicon.set(sign=sign, sign_of_merged=sign if sign_of_merged is None else sign_of_merged)
        self._lexicon.run(statement("counting/draft/bring_counts", draft=self.store))
        return self._lexicon

    def _refuse_unseen(self, names: Iterable[str]) -> None:
        """Raise LexiconError if the lexicon's transaction does not see the whole draft."""
        for name in names:
            drafted = count_rows(self.database, name)
            seen = count_rows(self._lexicon, name, self.store)
            if seen != drafted:
                raise LexiconError(
                    f"{self._lexicon.file}: DuckDB shows {seen:,} of {drafted:,} rows of {name} that were made, so "
                    "nothing is changed; please report this"
                )


@contextmanager
def open_draft(lexicon: Database, *, adds: bool = True, whole: bool = True) -> Iterator[Draft]:
    """Yield a draft, within the transaction of the lexicon; it is deleted after the block.

    adds: whether words or trees go from it into the lexicon, and not counts alone. Then it raises LexiconError if that
    transaction has changed words before: other connections could not see them. whole: whether the draft begins with all
    words and lexemes of the lexicon; an addition meets few of them.
    """
    # No file, and so no lexicon, has a slash in its name; several additions may work on one lexicon's file.
    own, name = identifier(lexicon.name()), identifier(f"/draft {secrets.token_hex(8)}")
    theirs, store = own_store(lexicon), SqlText(f"{name}.{version.SCHEMA}")
    # Asked before there is a draft: listing tables looks into all databases, and what a transaction has looked into it
    # sees as it was then (DuckDB 2.0.0).
    as_made = dict(lexicon.rows(statement("store/table_texts")))
    with closing(lexicon.beside()) as database:
        database.apart(f"ATTACH ':memory:' AS {name}")
        try:
            database.apart(f"USE {name}")
            with database.transaction():
                is_known = begin_draft(database, lexicon, theirs, as_made, adds=adds, whole=whole)
                yield Draft(lexicon, database, theirs, store, theirs if is_known and not whole else None)
        finally:
            with suppress(AptError):
                database.apart(f"USE {own}")
                database.apart(f"DETACH {name}")


def own_store(lexicon: Database) -> SqlText:
    """Return the name of the lexicon's store in a draft."""
    return SqlText(f"{identifier(lexicon.name())}.{version.SCHEMA}")


def count_rows(database: Database, table: str, store: SqlText = OWN) -> int:
    """Return the number of rows of a table in a store."""
    return int(database.value(statement("store/size", table=SqlText(f"{store}.{table}"))))


def begin_draft(
    database: Database, lexicon: Database, own: SqlText, as_made: Mapping[str, str], *, adds: bool, whole: bool
) -> bool:
    """Make the tables of a draft, with the words and paths of the lexicon; return whether there is a lexicon yet.

    as_made: the statements that make the lexicon's tables, which were compared with ours when it was looked through.
    Raises LexiconError.
    """
    # The tables of a lexicon that is just being made are not visible yet.
    is_known = bool(database.value(statement("counting/draft/is_there"), {"lexicon": lexicon.name()}))
    database.run(f"CREATE SCHEMA {version.SCHEMA}")
    for table in (*NAMES, *TREES):
        database.run(as_made[table])
    for table in NAMES:
        if adds and (count_rows(database, table, own) if is_known else 0) != count_rows(lexicon, table):
            raise LexiconError(f"{lexicon.file}: words were changed within the transaction of an addition")
        if is_known and (whole or table not in MANY):
            database.run(statement("counting/draft/take_all", own=own, table=SqlText(table)))
    if is_known:
        database.run(statement("counting/draft/last_known", own=own))
    database.go_on()
    return is_known


@dataclass
class NewCorpus:
    """A corpus that is being added. has_misc: whether its MISC and DEPS are stored.

    skipped: its invalid sentences that were left out, by kind.
    """

    id: int
    name: str
    source: Source | SmallFile
    has_misc: bool
    sentences: int = 0
    tokens: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def noted(self) -> dict[str, Any]:
        """Return the record of the corpus, but for its source."""
        counted = {"id": self.id, "name": self.name, "sentences": self.sentences, "tokens": self.tokens}
        known = {"has_direct": True, "has_misc": self.has_misc}
        return {**counted, **known, "kind": "trees", "skipped": self.skipped.total()}


class OpenDocument(NamedTuple):
    """The document that goes on in the next chunk of a corpus, and how many have begun before."""

    name: str
    begun: int = 0


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
