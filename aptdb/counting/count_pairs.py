"""Count pairs of words in the trees of `node`, chunk by chunk, and merge the counts into a lexicon (meaning.md 3.4)."""

from aptdb.core.settings import Settings
from aptdb.counting import steps
from aptdb.counting.steps import run_steps
from aptdb.store import schema
from aptdb.store.compaction import BYTES_OF_ROW, rows_of_slice, slices, write_again
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, statement

MOST_PAIRS = 30_000_000  # of words, in the sentences that are counted at once
BYTES_OF_PAIR = 33  # of memory, while it is counted
BYTES_OF_SUM = 100  # of memory, while a row is summed up
FOLD_ROWS = 16_000_000  # rows (about 320 MB) after which the counts of the chunks are summed
MANY_ROWS = 2_000_000  # co-occurrences: fewer are merged into the counts, however many those are
SHARE = 8  # of the counts: more than that is faster written again, with all the others, than merged
LARGEST_BIGINT = 2**63 - 1
LARGEST_ID = 2**31 - 1


class CountedPairs:
    """Counts of chunk after chunk, in the table `counted` of a separate store."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._folded = 0
        self._database.run(statement("counting/count/counted"))

    def count(self) -> None:
        """Count the pairs of packed nodes, range by range of sentences, each in a transaction."""
        run_steps(self._database, steps.SHARED, steps.COUNT_LEXEMES)
        self._climb()
        pairs = min(MOST_PAIRS, self._database.limits.memory // BYTES_OF_PAIR)
        for first, last in self._database.rows(statement("counting/count/parts", pairs=pairs)):
            self._database.set(first_node=first, last_node=last)
            run_steps(self._database, steps.COUNT)
            self._database.go_on()
            if self.rows() > 2 * self._folded + FOLD_ROWS:
                self.fold()
                self._folded = self.rows()

    def fold(self) -> None:
        """Sum the counts, so that each co-occurrence is one row; one range of lexemes after another.

        Summing all at once would not fit into memory, and would take several times the disk space of the counts.
        """
        run_steps(self._database, steps.FOLDED)
        for first, last in slices(self._database, BYTES_OF_SUM, "_store.counted"):
            self._database.run(statement("counting/count/fold_range", first=first, last=last))
            self._database.go_on()
        run_steps(self._database, steps.FOLD)
        self._database.go_on()

    def ranges(self) -> list[tuple[int, int]]:
        """Return ranges of lexemes, by first and last id, whose summed counts fit into memory when they are sorted."""
        lasts = [last for _, last in slices(self._database, BYTES_OF_ROW, "_store.counted")]
        firsts = [0, *(last + 1 for last in lasts[:-1])]
        return [*zip(firsts, [*lasts[:-1], LARGEST_ID], strict=True)]

    def rows(self) -> int:
        """Return the number of rows, summed or not."""
        return int(self._database.value("SELECT count(*) FROM _store.counted"))

    def _climb(self) -> None:
        """Find the ancestors of nodes and tokens. The ways up to them are numbers in a base that is large enough."""
        base = 1 + int(self._database.value("SELECT coalesce(max(id), 0) FROM label"))
        wide = SqlText("BIGINT" if base**self._settings.order <= LARGEST_BIGINT else "HUGEINT")
        self._database.set(base=base)
        self._database.run(statement("counting/count/ancestor", wide=wide))
        self._database.run(statement("counting/count/token_way", wide=wide))
        for height in range(1, self._settings.order):
            self._database.run(statement("counting/count/climb", height=height))
            self._database.run(statement("counting/count/descend", height=height))


def merge_added(database: Database) -> None:
    """Add the co-occurrences of `added` and the tokens of `counted_lexeme` to the counts of the lexicon."""
    there, gained = database.rows(statement("counting/count/sizes"))[0]
    is_much = gained > max(MANY_ROWS, there // SHARE)
    if is_much:
        write_with_added(database, "counting/count/next_slice" if there else "counting/count/first_slice")
        run_steps(database, steps.CHANGE_BY_NODES)
    else:
        run_steps(database, steps.GAINED)
        if gained:  # an INSERT of no rows into an empty table would hide from the transaction what it inserts later
            run_steps(database, steps.BRING if there else steps.FILL, steps.MARGINALS)
        run_steps(database, steps.CHANGE_BY_ADDED)
    run_steps(database, steps.TOTALS)


def write_with_added(database: Database, slice_: str) -> None:
    """Rewrite the counts and marginals with those of `added`. slice_: the statement that makes counts of a slice."""
    database.set(slice_rows=rows_of_slice(database))
    of_slice = ";\n".join(statement(name) for name in (slice_, "counting/count/nodes_of_slice"))
    write_again(database, database.rows(statement("counting/count/slices")), of_slice)


def mark_all_stale(database: Database) -> None:
    """Mark everything that was computed from the old counts as stale."""
    database.run(statement("store/derived/all_stale"))
    if database.value("SELECT EXISTS (FROM _store.derived)"):
        database.run(statement("counting/remove/forget_outdated"))
    schema.renew(database)
