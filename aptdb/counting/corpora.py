"""The corpora in a lexicon: their ids and names; each is added only once."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from aptdb.core.errors import CorpusError
from aptdb.store.database import Database
from aptdb.store.lazy_imports import sa, tables
from aptdb.store.statements import statement
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
