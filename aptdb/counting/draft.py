"""What an addition makes before it goes into the lexicon: its words, trees and counts, beside the lexicon.

A transaction of DuckDB keeps every temporary table to its end, also those that are gone. So an addition reads and
counts chunk by chunk in a store of its own, in memory and temporary files, where each chunk is a transaction; then
everything goes into the lexicon in one. The ids are those of the lexicon: the draft begins with its words and paths.
"""

from contextlib import closing, suppress
from types import TracebackType
from typing import Self

from aptdb.counting.corpora import last_sentence
from aptdb.errors import AptError, LexiconError
from aptdb.store import tables
from aptdb.store.database import Database
from aptdb.store.literals import SqlText, identifier
from aptdb.store.statements import statement

NAME = '"/draft"'  # no file, and so no lexicon, has such a name
TABLES = (tables.word, tables.relation, tables.lexeme, tables.path, tables.sentence, tables.token, tables.joined)


class Draft:
    """The store of an addition, open within a block; `database` is a connection in which it is the store.

    lexicon: the store of the lexicon, as statements name it in that connection.
    """

    def __init__(self, lexicon: Database) -> None:
        self._lexicon = lexicon
        self._last_sentence = last_sentence(lexicon)
        own = lexicon.name()
        self.lexicon = f"{identifier(own)}.{tables.SCHEMA}"
        self.database = lexicon.beside()
        with suppress(AptError):
            self.database.apart(f"DETACH DATABASE IF EXISTS {NAME}")
        self.database.apart(f"ATTACH ':memory:' AS {NAME}")
        self.database.apart(f"USE {NAME}")
        self._transaction = self.database.transaction()
        self._is_there = bool(self.database.value(statement("counting/draft/is_there"), {"lexicon": own}))

    def __enter__(self) -> Self:
        """Make its tables, and begin the transaction of the first chunk."""
        self._transaction.__enter__()
        self.database.run(f"CREATE SCHEMA {tables.SCHEMA}")
        for table in TABLES:
            table.create(self.database.connection, checkfirst=False)
        if self._is_there:
            self.database.run(statement("counting/draft/take_words", store=SqlText(self.lexicon)))
        self._refuse_changed()
        self.database.go_on()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End what is open. The draft itself goes with the lexicon's database, or when the next one is made."""
        with closing(self.database):
            self._transaction.__exit__(kind, error, traceback)

    def _refuse_changed(self) -> None:
        """Raise LexiconError if the transaction of the lexicon has changed words before, which nobody else sees yet."""
        known = statement("counting/draft/known", store=SqlText(tables.SCHEMA))
        if self.database.rows(known) != self._lexicon.rows(known):
            raise LexiconError(f"{self._lexicon.file}: words were changed within the transaction of an addition")

    def last_sentence(self) -> int:
        """The id of the last sentence of the lexicon and the draft."""
        return max(self._last_sentence, last_sentence(self.database))

    def bring_trees(self) -> None:
        """Put the words and trees into the lexicon, within its transaction.

        From now on that sees the draft as it is: nothing that is done to it later.
        """
        self.database.go_on()
        self._lexicon.run(statement("counting/draft/bring_words"))
        self._lexicon.run(statement("counting/draft/bring_trees"))

    def bring_counts(self, sign: int) -> Database:
        """Let the lexicon's transaction see the counts, as `added` and `counted_lexeme`; returns the lexicon."""
        self.database.go_on()
        self._lexicon.set(sign=sign)
        self._lexicon.run(statement("counting/draft/bring_counts"))
        return self._lexicon
