"""What an addition makes before it goes into the lexicon: its words, trees and counts, beside the lexicon.

A transaction of DuckDB keeps every temporary table to its end, also those that are gone. So an addition reads and
counts chunk by chunk in a store of its own, in memory and temporary files, where each chunk is a transaction; then
everything goes into the lexicon in one. The ids are those of the lexicon: the draft begins with its words and paths.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from aptdb.core.errors import AptError, CorpusError, LexiconError
from aptdb.store import version
from aptdb.store.database import Database
from aptdb.store.lazy_imports import sa, tables
from aptdb.store.statements import SqlText, identifier, statement
from aptdb.store.version import __version__


class Origin(Protocol):
    """Where a corpus comes from."""

    @property
    def place(self) -> str:
        """How messages name it."""

    @property
    def digest(self) -> str:
        """The sha256 of its content, in hexadecimal."""


@dataclass(frozen=True)
class Addition:
    """What one source added. skipped: how many invalid sentences were left out, by kind."""

    corpus: str
    sentences: int
    tokens: int
    skipped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """How far an addition has come: bytes read of all (None if that is not known), and what they held."""

    corpus: str
    bytes_read: int
    size: int | None
    tokens: int


def note_corpus(database: Database, what: dict[str, Any], source: Origin) -> None:
    """Record a corpus that was added."""
    origin = {"source": source.place, "sha256": source.digest}
    when = {"added_at": datetime.now(UTC).replace(tzinfo=None), "version": __version__}
    database.run(tables.corpus.insert(), {**what, **origin, **when})


def refuse_name(database: Database, name: str) -> None:
    """Raise CorpusError if the lexicon has a corpus of this name."""
    if database.value(sa.select(tables.corpus.c.id).where(tables.corpus.c.name == name)):
        raise CorpusError(f"the lexicon already has a corpus {name}; give this one another name with --name")


def refuse_content(database: Database, source: Origin) -> None:
    """Raise CorpusError if the same bytes were added before."""
    same = database.value(sa.select(tables.corpus.c.name).where(tables.corpus.c.sha256 == source.digest))
    if same:
        raise CorpusError(
            f"{source.place}: the same content was added before, as corpus {same}; to count it twice, use --again"
        )


def next_corpus(database: Database) -> int:
    """Return the id of the next corpus."""
    return 1 + int(database.value(sa.select(sa.func.max(tables.corpus.c.id))) or 0)


def last_sentence(database: Database) -> int:
    """Return the id of the last sentence, 0 if there is none."""
    return int(database.value(sa.select(sa.func.max(tables.sentence.c.id))) or 0)


def corpus_called(database: Database, name: str) -> "sa.Row[tuple[int, str]]":
    """Return the id and kind of a corpus. Raises CorpusError, which lists the names."""
    table = tables.corpus
    found = database.run(sa.select(table.c.id, table.c.kind).where(table.c.name == name)).first()
    if found is None:
        names = [row[0] for row in database.rows(statement("store/corpora"))]
        raise CorpusError(f"no corpus {name}; the lexicon has {', '.join(names) or 'none'}")
    return found


NAMES = ("word", "relation", "lexeme", "path")  # tables that the draft shares with the lexicon
TREES = ("document", "sentence", "token", "joined")
COUNTS = ("counted", "counted_lexeme")


class Draft:
    """The store of one addition.

    database: a connection in which it is the store. own: the store of the lexicon, as statements name it there. store:
    the draft, as statements name it in the lexicon's connection. documents_before: the id of the lexicon's last
    document.
    """

    def __init__(self, lexicon: Database, database: Database, own: SqlText, store: SqlText) -> None:
        self._lexicon = lexicon
        self._last_before = last_sentence(lexicon)
        self.database = database
        self.own = own
        self.store = store
        self.documents_before = int(lexicon.value(sa.select(sa.func.max(tables.document.c.id))) or 0)

    def last_sentence(self) -> int:
        """Return the id of the last sentence of the lexicon and the draft."""
        return max(self._last_before, last_sentence(self.database))

    def bring_trees(self) -> None:
        """Put the words and trees into the lexicon, within its transaction.

        From now on that sees the draft as it is: nothing that is done to it later.
        """
        self.database.go_on()
        self._refuse_unseen([*NAMES, *TREES])
        self._lexicon.run(statement("counting/draft/name_words", draft=self.store))
        for table in NAMES:
            self._lexicon.run(statement("counting/draft/bring_new", draft=self.store, table=SqlText(table)))
        for table in TREES:
            self._lexicon.run(statement("counting/draft/bring_all", draft=self.store, table=SqlText(table)))

    def bring_counts(self, sign: int) -> Database:
        """Let the lexicon's transaction see the counts, as `added` and `counted_lexeme`; returns the lexicon."""
        self.database.go_on()
        self._refuse_unseen(COUNTS)
        self._lexicon.set(sign=sign)
        self._lexicon.run(statement("counting/draft/bring_counts", draft=self.store))
        return self._lexicon

    def _refuse_unseen(self, names: Iterable[str]) -> None:
        """Raise LexiconError if the transaction of the lexicon began to look at the draft before it was complete."""
        for name in names:
            rows = sa.select(sa.func.count()).select_from(sa.table(name, schema=version.SCHEMA))
            drafted = self.database.value(rows)
            seen = self._lexicon.value(statement("counting/draft/size", draft=self.store, table=SqlText(name)))
            if seen != drafted:
                raise LexiconError(
                    f"{self._lexicon.file}: DuckDB shows {seen:,} of {drafted:,} rows of {name} that were made, so "
                    "nothing is changed; please report this"
                )


@contextmanager
def drafting(lexicon: Database) -> Iterator[Draft]:
    """Give a draft for an addition, within the transaction of the lexicon; it is gone after the block.

    Raises LexiconError if that transaction has changed words before: nobody but itself would see them.
    """
    # No file, and so no lexicon, has a slash in its name; several additions may work on one lexicon's file.
    own, name = identifier(lexicon.name()), identifier(f"/draft {secrets.token_hex(8)}")
    theirs, store = own_store(lexicon), SqlText(f"{name}.{version.SCHEMA}")
    with closing(lexicon.beside()) as database:
        database.apart(f"ATTACH ':memory:' AS {name}")
        try:
            database.apart(f"USE {name}")
            with database.transaction():
                begin(database, lexicon, theirs)
                yield Draft(lexicon, database, theirs, store)
        finally:
            with suppress(AptError):
                database.apart(f"USE {own}")
                database.apart(f"DETACH {name}")


def own_store(lexicon: Database) -> SqlText:
    """Return the store of a lexicon, as statements name it in a draft."""
    return SqlText(f"{identifier(lexicon.name())}.{version.SCHEMA}")


def table_called(name: str) -> "sa.Table":
    """Return a table of the store."""
    return tables.metadata.tables[f"{version.SCHEMA}.{name}"]


def begin(database: Database, lexicon: Database, own: SqlText) -> None:
    """Make the tables of a draft, with the words and paths of the lexicon. Raises LexiconError."""
    database.run(f"CREATE SCHEMA {version.SCHEMA}")
    for table in (*NAMES, *TREES):
        table_called(table).create(database.connection, checkfirst=False)
    for table in NAMES:
        if is_there(database, lexicon):
            database.run(statement("counting/draft/take_all", own=own, table=SqlText(table)))
        rows = sa.select(sa.func.count()).select_from(table_called(table))
        if database.value(rows) != lexicon.value(rows):
            raise LexiconError(f"{lexicon.file}: words were changed within the transaction of an addition")
    database.go_on()


def is_there(database: Database, lexicon: Database) -> bool:
    """Return whether the lexicon is there already; one that is only being made cannot be seen from beside it."""
    return bool(database.value(statement("counting/draft/is_there"), {"lexicon": lexicon.name()}))
