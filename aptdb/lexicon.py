"""A lexicon: opened, added to, and asked. The questions are the SQL macros of the same names (design 5)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypedDict, Unpack

from aptdb.corpus.sources import Source
from aptdb.counting.reading import sentence_rows
from aptdb.errors import LexiconError, PhraseError
from aptdb.evaluation.report import Reporting
from aptdb.exchange.export import Written, export
from aptdb.phrase import Phrase, written
from aptdb.questions import entries, weightings
from aptdb.questions.parameters import Defining, Exporting, Phi, Question, Ranking, Weighing, phrase_of
from aptdb.questions.thesaurus import write_thesaurus
from aptdb.result import Result
from aptdb.settings import Settings, in_form
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.session import open_database
from aptdb.store.statements import statement


class Given(TypedDict, total=False):
    """Settings that may be given when a lexicon is made or opened; None is as good as not given."""

    order: int | None
    lexeme: str | None
    lowercase: bool | None
    exclude_upos: Sequence[str] | None
    relations: str | None
    relation_map: Mapping[str, str] | None
    pos_map: Mapping[str, str] | None
    exclude_relations: Sequence[str] | None
    join: Sequence[str] | None
    min_token_length: int | None
    nfc: bool | None
    stop_list: Sequence[str] | None
    stemmer: str | None


class Lexicon(Reporting):
    """A distributional lexicon in one DuckDB file. Use it in a `with` block, or call close().

    A file is opened for reading, so that many can ask at once; the first `add` opens it for writing, alone.
    """

    def __init__(
        self, file: Path, given: dict[str, Any], database: Database | None, *, create: bool, confined: bool
    ) -> None:
        self.file = file
        self.settings = schema.read_settings(database) if database else Settings().with_given(given)
        self._given = given
        self._database = database
        self._create = create
        self._confined = confined
        self._closed = False

    @classmethod
    def open(cls, file: str | Path, *, create: bool = False, confined: bool = False, **settings: Unpack[Given]) -> Self:
        """Open a lexicon; with create, one that is not there yet is made by the first `add`.

        confined: no question can reach any other file, whatever SQL it is made of.

        Settings (order, lexeme, lowercase, exclude_upos, relations: see Settings) are fixed when it is made. Given for
        one that exists they must be its own. Raises LexiconError and SettingsError.
        """
        path = Path(file)
        given = in_form(settings)
        database = open_database(path, create=create, confined=confined)
        try:
            lexicon = cls(path, given, database, create=create, confined=confined)
            lexicon.settings.refuse_others(given)
        except BaseException:
            if database:
                database.close()
            raise
        return lexicon

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, for good. Doing so again does nothing."""
        self._let_go()
        self._closed = True

    def phrases(self, source: str | Path | BinaryIO) -> list[Phrase]:
        """The sentences of CoNLL-U as phrases, of lexemes and relations as this lexicon makes them.

        Words are numbered by token order. Parts of speech that the lexicon leaves out are left out where nothing hangs
        from them. Raises CorpusError, as file:line where a line is at fault, and PhraseError for a sentence that is no
        one tree.
        """
        found = []
        with Source(source) as opened:
            for number, rows in sentence_rows(self.settings, opened):
                try:
                    found.append(Phrase.from_rows(rows))
                except PhraseError as error:
                    raise PhraseError(f"{opened.place}, sentence {number}: {error}") from error
        if not found:
            raise PhraseError(f"{opened.place}: no sentence in it")
        return found

    def weigh(
        self,
        name: str,
        *,
        scheme: str | None = None,
        phi: Phi | None = None,
        keep: bool = False,
        **parameters: Unpack[Defining],
    ) -> None:
        """Record a weighting under a name, which then serves wherever weights are asked for, and in SQL as a view.

        scheme and phi are ppmi and constant where nothing is said. keep: compute its weights now and keep them, which
        makes questions fast; of a weighting that is recorded already, its name is enough. Raises QuestionError where
        the name is taken or the definition cannot be.
        """
        wanted = weightings.Definition(name, scheme or "ppmi", phi or "constant", parameters)
        nothing_more = scheme is None and phi is None and not parameters
        with self._writing() as database:
            if keep and nothing_more and weightings.definition(database, name):
                weightings.keep_recorded(database, name)
            else:
                weightings.record(database, wanted, keep=keep)

    def refresh(self, name: str | None = None) -> list[str]:
        """Keep anew the weights that additions have made stale, all or those of one name; returns whose they were."""
        with self._writing() as database:
            return weightings.refresh(database, name)

    def forget(self, name: str) -> None:
        """Take a weighting away, with the weights that are kept of it."""
        with self._writing() as database:
            weightings.forget(database, name)

    def weightings(self) -> Result:
        """The weightings that have a name: a row for each, with its parameters, its state, and the weights kept."""
        return self._ask("FROM weightings")

    def save(self, name: str, phrase: Question, **parameters: Unpack[Weighing]) -> int:
        """Compose a phrase and store its APT as an entry of that name; returns the number of its weights.

        Apart from the counted lexemes, it serves like one wherever a lexeme is asked about, under the weights that it
        is composed under. A name that an entry has already is given to the new one. Raises QuestionError.
        """
        words = phrase_of(phrase)
        shown = str(phrase) if isinstance(phrase, str | Phrase) else written(words)
        with self._writing() as database:
            return entries.store(database, name, entries.Composition(shown, words, parameters))

    def refresh_entries(self, name: str | None = None) -> list[str]:
        """Compose anew the entries that additions have made stale, all or that of one name; returns their names."""
        with self._writing() as database:
            return entries.refresh(database, name)

    def forget_entry(self, name: str) -> None:
        """Take an entry away."""
        with self._writing() as database:
            entries.forget(database, name)

    def entries(self, name: str | None = None) -> Result:
        """The entries that are stored, or that of one name: each with its phrase, how it was composed, its state."""
        if name is not None:
            entries.refuse_unknown(self._for_reading(), name)
        return self._ask("FROM entries WHERE $name IS NULL OR entry = $name", {"name": name})

    def thesaurus(
        self,
        file: str | Path,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        progress: Callable[[int, int], None] = lambda *_: None,
        **parameters: Unpack[Ranking],
    ) -> int:
        """Write the neighbours of all lexemes that are frequent enough to a .parquet or .tsv file; returns its rows.

        Columns: lexeme, neighbour, similarity; the most frequent lexemes first. What is done is kept in a folder
        beside the file until all is, and a call with the same parameters goes on from there. progress is told how many
        lexemes of how many are done. Raises QuestionError.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        database = self._for_reading()
        self._warn_of_stale(lambda name: name == str(parameters.get("weights")).lower())
        return write_thesaurus(database, Path(file), {**own, **parameters}, progress)

    def export(
        self,
        file: str | Path,
        *,
        form: str | None = None,
        dimensions: int | None = None,
        progress: Callable[[int, int], None] = lambda *_: None,
        **parameters: Unpack[Exporting],
    ) -> Written:
        """Write the weights of all lexemes to a file that other tools read; returns what was written, and where.

        form: parquet, byblo, dissect, scipy or word2vec; without it the ending tells: .parquet, .tsv, .sm, .npz, .vec
        or .txt. dissect and scipy have the names in files beside it, .rows and .cols. dimensions: of word2vec alone, to
        how many the vectors are reduced, 100 if nothing is said. All is written or nothing. progress is told how many
        weights of how many are done. Raises QuestionError.
        """
        database = self._for_reading()
        self._warn_of_stale(lambda name: name == str(parameters.get("weights")).lower())
        return export(database, Path(file), parameters, form=form, dimensions=dimensions, progress=progress)

    def info(self) -> Result:
        """The settings and sizes: rows of property, value, all text."""
        settings = [("file", str(self.file)), *self.settings.shown()]
        sizes = self._ask(statement("store/sizes"))
        return Result(sizes.columns, sizes.types, [*settings, *sizes.rows])

    def corpora(self) -> Result:
        """What went in: a row for each corpus, with its name, source, sizes, time, version and sha256."""
        return self._ask(statement("store/corpora"))

    def _ask(self, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
        return Result(*self._for_reading().table(query, parameters))

    def _for_reading(self) -> Database:
        """The database, opened again where something was added since it was asked last."""
        self._refuse_closed()
        if self._database is None:
            self._database = open_database(self.file, create=self._create, confined=self._confined)
        if self._database is None:
            raise LexiconError(f"{self.file}: there is nothing in this lexicon yet; add a corpus first")
        return self._database

    def _let_go(self) -> None:
        """Close the database, so that it can be opened otherwise, here or by others."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LexiconError(f"{self.file} is closed; open it again")
