"""What changes a lexicon as a whole: corpora that go in and come out, other lexicons, and the order of its tables."""

import tempfile
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from aptdb.corpus.faults import Screen
from aptdb.corpus.sources import Source
from aptdb.counting import merge as merging
from aptdb.counting import remove as accounts
from aptdb.counting import verify as verifying
from aptdb.counting.add import Addition, Progress, count_source
from aptdb.counting.count_pairs import grown
from aptdb.counting.counts_only import count_given
from aptdb.counting.reading import LONGEST_SENTENCE
from aptdb.errors import LexiconError
from aptdb.questions.ask import Answering
from aptdb.result import Result
from aptdb.settings import Settings, in_form
from aptdb.store import compaction, schema
from aptdb.store.database import Database, interrupts_held
from aptdb.store.session import leave_nothing, refuse_folder

ADDING_MEMORY = "1GB"  # for DuckDB's own buffers while a corpus is added; what does not fit goes to disk
KEPT_IN_MEMORY = 8 << 20  # bytes of sentences at fault, before they go to disk until the corpus is in
Follow = Callable[[int, int], None]  # told how many of how many are done


class Growing(Answering):
    """A lexicon that grows, and can give back what it took in."""

    file: Path
    settings: Settings
    _given: Mapping[str, Any]

    def add(
        self,
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
        refuse_rejects(rejects, self.file)
        with (
            Source(source) as opened,
            set_aside(skip_invalid, rejects) as (screen, write_rejects),
            self._growing(then=write_rejects) as database,
        ):
            if opened.form() == "counts":
                return count_given(database, self.settings, opened, name=name, again=again)
            return count_source(
                database,
                self.settings,
                opened,
                name=name,
                again=again,
                screen=screen,
                longest=max_sentence,
                progress=progress,
            )

    def holds(self, source: str | Path, name: str | None = None) -> bool:
        """Whether a corpus of a file's name, or of the one given, is in already, and has the file's content."""
        if str(source) == "-" or not self.file.exists():
            return False
        try:
            known = dict(self._for_reading().rows("SELECT name, sha256 FROM _store.corpus"))
        except LexiconError:
            return False
        with Source(source) as opened:
            called = name or opened.name
            return called in known and known[called] == opened.digest_of_all()

    def remove(self, corpus: str) -> None:
        """Take a corpus out again: exactly what it added. Raises CorpusError where there is none of that name."""
        with self._writing(ADDING_MEMORY) as database:
            accounts.remove(database, self.settings, corpus)

    def merge(self, other: str | Path, *, prefix: str = "", progress: Follow = lambda *_: None) -> list[str]:
        """Add all that another lexicon holds, corpus by corpus, counted from its trees; returns the corpora's names.

        prefix: what their names begin with here. One transaction. Raises SettingsError where it counts otherwise,
        CorpusError where a corpus is in already, and LexiconError.
        """
        file = Path(other)
        merging.refuse_other(file)
        if self.file.exists() and file.samefile(self.file):
            raise LexiconError(f"{file} is the lexicon itself")
        takes_theirs = merging.other_settings(file).with_given(self._given)
        with self._growing(settings=takes_theirs) as database:
            merging.attach(database, file)
            merging.refuse_settings(self.settings, file)
            names = merging.merge(database, self.settings, file, prefix=prefix, progress=progress)
            grown(database)
            return names

    def rebuild(self, new: str | Path, *, progress: Follow = lambda *_: None, **settings: Any) -> None:
        """Count the stored trees anew into another file, with other settings where they are given (see `open`).

        Raises LexiconError where the file is there already, and CorpusError where a corpus came without trees.
        """
        file, wanted = Path(new), self.settings.with_given(in_form(settings))
        refuse_folder(file)
        if file.exists():
            raise LexiconError(f"{file} is there already; take it away, or name another file")
        self._for_reading()
        self._let_go()
        made, database = False, None
        try:
            with interrupts_held():
                database = Database(file, read_only=False, memory_limit=ADDING_MEMORY)
                made = schema.is_empty(database)
            if not made:
                raise LexiconError(f"{file} was made by another process meanwhile; name another file")
            with closing(database), database.transaction():
                schema.create(database, wanted)
                merging.attach(database, self.file)
                merging.refuse_counts(database, self.file)
                merging.merge(database, wanted, self.file, prefix="", progress=progress)
                grown(database)
        except BaseException:
            with interrupts_held():
                if database:
                    database.close()
                if made:
                    leave_nothing(file)
            raise

    def verify(self, *, progress: Follow = lambda *_: None) -> Result:
        """What is otherwise than it must be: rows of what, row, found, expected; none where the lexicon is sound.

        Everything is counted anew from the stored trees; marginals and totals are compared with the sums of counts,
        counts with those from their other end, kept weights with their definitions. The file is only read.
        """
        self._for_reading()
        self._let_go()
        rows = [*verifying.differences(self.file, self.settings, progress)]
        return Result(verifying.COLUMNS, ("VARCHAR",) * len(verifying.COLUMNS), rows)

    def compact(self) -> None:
        """Sort the counts anew, and give back unused space; additions do so by themselves now and then."""
        with self._writing(ADDING_MEMORY) as database:
            compaction.compact(database)
        compaction.give_back(self.file, at_any_cost=True, asked=True)

    @contextmanager
    def _growing(
        self, *, settings: Settings | None = None, then: Callable[[], None] = lambda: None
    ) -> Iterator[Database]:
        """The database to add to, within one transaction; made where it is not there, and taken away if that fails.

        settings: those of a lexicon that is made. then: what is to be done once the transaction is through.
        """
        self._refuse_closed()
        refuse_folder(self.file)
        self._let_go()
        made, empty, database = not self.file.exists(), False, None
        try:
            with interrupts_held():  # until it is known whether the file is to be taken away again
                database = Database(self.file, read_only=False, memory_limit=ADDING_MEMORY)
                empty = schema.is_empty(database)
            self._obey_settings(database, empty)
            with database.transaction():
                if empty:
                    self.settings = settings or self.settings
                    schema.create(database, self.settings)
                yield database
                compacted = compaction.note_run(database)
        except BaseException:
            with interrupts_held():
                if database:
                    database.close()
                if made and empty:
                    leave_nothing(self.file)
            raise
        database.close()
        then()  # whatever comes of it, the lexicon stays
        compaction.give_back(self.file, at_any_cost=compacted)

    @contextmanager
    def _writing(self, memory_limit: str | None = None) -> Iterator[Database]:
        """The database to write to, within one transaction."""
        self._for_reading()
        self._let_go()
        with closing(Database(self.file, read_only=False, memory_limit=memory_limit)) as database:
            self._obey_settings(database, empty=False)
            with database.transaction():
                yield database

    def _obey_settings(self, database: Database, empty: bool) -> None:
        """Take the settings of a lexicon that somebody else may have made since this one was opened."""
        if not empty:
            schema.check_revision(database)
            self.settings = schema.read_settings(database)
            self.settings.refuse_others(self._given)

    @abstractmethod
    def _let_go(self) -> None:
        """Close the database, so that it can be opened otherwise, here or by others."""

    @abstractmethod
    def _refuse_closed(self) -> None:
        """Raise LexiconError where the lexicon was closed."""


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
