"""A lexicon: opened, added to, and asked. The questions are the SQL macros of the same names (design 5)."""

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypedDict, Unpack

from aptdb import schema, weightings
from aptdb.corpus import Source
from aptdb.counting import Addition, Progress, count_source
from aptdb.database import Database, SqlText
from aptdb.errors import LexiconError, PhraseError, QuestionError, StaleWeighting
from aptdb.opening import leave_nothing, open_database, refuse_folder
from aptdb.parameters import (
    Comparing,
    Defining,
    Phi,
    Question,
    Questions,
    Ranking,
    Weighing,
    call,
    rows_of,
    words_of,
)
from aptdb.phrase import Phrase
from aptdb.reading import sentence_rows
from aptdb.result import Result
from aptdb.select import refuse_all_but_select
from aptdb.settings import Settings, tag_tuple
from aptdb.statements import statement
from aptdb.thesaurus import write_thesaurus

ADDING_MEMORY = "1GB"  # for DuckDB's own buffers while a corpus is added; what does not fit goes to disk


class Given(TypedDict, total=False):
    """Settings that may be given when a lexicon is made or opened; None is as good as not given."""

    order: int | None
    lexeme: str | None
    lowercase: bool | None
    exclude_upos: Sequence[str] | None
    relations: str | None


class Lexicon:
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

    def add(
        self,
        source: str | Path | BinaryIO,
        *,
        name: str | None = None,
        again: bool = False,
        progress: Callable[[Progress], None] = lambda _: None,
    ) -> Addition:
        """Add the sentences of CoNLL-U: a file, also gzipped, `-` for standard input, or an open binary stream.

        name: what the corpus is called, its file's base name if nothing is said. again: count content that is in
        already once more. progress is called now and then. One transaction: after any error the lexicon is what it was.
        Raises CorpusError, as file:line where a line is at fault, and LexiconError.
        """
        self._refuse_closed()
        refuse_folder(self.file)
        self._let_go()
        made = not self.file.exists()
        database = Database(self.file, read_only=False, memory_limit=ADDING_MEMORY)
        empty = schema.is_empty(database)
        try:
            self._obey_settings(database, empty)
            with database.transaction():
                if empty:
                    schema.create(database, self.settings)
                return count_source(database, self.settings, Source(source), name=name, again=again, progress=progress)
        except BaseException:
            database.close()
            if made and empty:
                leave_nothing(self.file)
            raise
        finally:
            database.close()

    @contextmanager
    def _writing(self) -> Iterator[Database]:
        """The database to write to, within one transaction."""
        self._for_reading()
        self._let_go()
        with closing(Database(self.file, read_only=False)) as database:
            self._obey_settings(database, empty=False)
            with database.transaction():
                yield database

    def _obey_settings(self, database: Database, empty: bool) -> None:
        """Take the settings of a lexicon that somebody else may have made since this one was opened."""
        if not empty:
            schema.check_revision(database)
            self.settings = schema.read_settings(database)
            self.settings.refuse_others(self._given)

    def phrases(self, source: str | Path | BinaryIO) -> list[Phrase]:
        """The sentences of CoNLL-U as phrases, of lexemes and relations as this lexicon makes them.

        Words are numbered by token order. Parts of speech that the lexicon leaves out are left out where nothing hangs
        from them. Raises CorpusError, as file:line where a line is at fault, and PhraseError for a sentence that is no
        one tree.
        """
        opened = Source(source)
        found = []
        for number, rows in sentence_rows(self.settings, opened):
            try:
                found.append(Phrase.from_rows(rows))
            except PhraseError as error:
                raise PhraseError(f"{opened.place}, sentence {number}: {error}") from error
        if not found:
            raise PhraseError(f"{opened.place}: no sentence in it")
        return found

    def apt(self, x: Question, *, per_path: int | None = None, **parameters: Unpack[Weighing]) -> Result:
        """The APT of a lexeme or phrase: rows of path, context, weight; the heaviest first on each path.

        x is a lexeme's text, or a phrase: a Phrase, its text in brackets, or its words as SQL takes them.
        per_path: only so many of the heaviest features of each path.
        """
        return self._features(call("apt", [words_of(x)], parameters), per_path, parameters)

    def compose(self, phrase: Question, *, per_path: int | None = None, **parameters: Unpack[Weighing]) -> Result:
        """The APT composed for a phrase (the paper's equation 9): rows as in `apt`."""
        words = words_of(phrase)
        asked = [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words
        return self._features(call("compose", [asked], parameters), per_path, parameters)

    def _features(self, apt: SqlText, per_path: int | None, parameters: Weighing) -> Result:
        """The rows of an APT, path by path."""
        heaviest = "PARTITION BY path ORDER BY round(weight, 12) DESC, context"
        return self._question(
            f"FROM {apt} {only(per_path, heaviest)} ORDER BY path, round(weight, 12) DESC, context", parameters
        )

    def neighbours(
        self,
        x: Question,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[Ranking],
    ) -> Result:
        """The lexemes nearest to a lexeme or phrase: rows of lexeme, similarity, best first.

        pos: `same` as x, `any`, or a tag. min_frequency: the fewest tokens of a neighbour; None is one per 25,000
        tokens of the lexicon, at least 1 and at most 50. Of a measure that has a direction, x is the first argument.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        return self._question(f"FROM {call('neighbours', [words_of(x)], {**own, **parameters})}", parameters)

    def neighbours_each(
        self,
        questions: Questions,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[Ranking],
    ) -> Result:
        """The same for several lexemes and phrases, all at once: rows of question, lexeme, similarity.

        questions: a sequence, each called as it is written, or a mapping from what each is called. They come in this
        order, each with its nearest first. One that is asked twice is answered once.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        each = call("neighbours_each", ["asked"], {**own, **parameters})
        query = f"WITH asked AS ({statement('ask/asked').rstrip().rstrip(';')}) FROM {each}"
        return self._question(query, parameters, {"questions": json.dumps(rows_of(questions))})

    def similarity(self, a: Question, b: Question, **parameters: Unpack[Comparing]) -> float | None:
        """How alike two lexemes or phrases are, by the cosine (the paper's equation 6) or another measure.

        None where the vector of one is empty.
        """
        asked = f"SELECT {call('similarity', [words_of(a), words_of(b)], parameters)}"
        value = self._question(asked, parameters).rows[0][0]
        return None if value is None else float(value)

    def explain(self, a: Question, b: Question, *, top: int = 10, **parameters: Unpack[Comparing]) -> Result:
        """Why two are alike: rows of path, context, weight_a, weight_b, contribution, the largest first.

        The weights are the values in the vectors. A last row, of no path and context, sums up all but the top; so the
        contributions add up to the similarity.
        """
        asked = call("explain", [words_of(a), words_of(b)], {"top": top, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def diff(
        self,
        a: Question,
        b: Question,
        *,
        lean: float = 2,
        per_path: int | None = None,
        **parameters: Unpack[Weighing],
    ) -> Result:
        """What two meet differently: rows of path, leans, context, weight_a, weight_b, by path.

        leans: `a` or `b` where its weight is at least `lean` times the other's, else `both`; the clearest first.
        per_path: only so many of the clearest of each kind on each path.
        """
        own = {"lean": lean, "per_path": per_path}
        asked = call("diff", [words_of(a), words_of(b)], {**own, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
        """The rows of one SELECT of your own; `$name` stands for a parameter. It can change nothing.

        Raises QuestionError where it is not one SELECT, or does not run.
        """
        refuse_all_but_select(self._for_reading(), query)
        self._warn_of_stale(lambda name: re.search(rf"\b{name}\b", query, re.IGNORECASE) is not None)
        return self._ask(query, parameters)

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

    def info(self) -> Result:
        """The settings and sizes: rows of property, value, all text."""
        settings = [("file", str(self.file)), *self.settings.shown()]
        sizes = self._ask(statement("ask/sizes"))
        return Result(sizes.columns, sizes.types, [*settings, *sizes.rows])

    def corpora(self) -> Result:
        """What went in: a row for each corpus, with its name, source, sizes, time, version and sha256."""
        return self._ask(statement("ask/corpora"))

    def _question(self, query: str, parameters: Mapping[str, Any], values: Mapping[str, Any] | None = None) -> Result:
        """The answer to a question that takes weights, with a warning where those that are kept are not used."""
        weights = parameters.get("weights")
        if weights is None:
            return self._ask(query, values)
        self._warn_of_stale(lambda name: name == str(weights).lower())
        try:
            return self._ask(query, values)
        except QuestionError as error:
            raise weightings.explained(self._for_reading(), str(weights), error) from error

    def _warn_of_stale(self, concerns: Callable[[str], bool]) -> None:
        """Warn of the stale weightings that a question concerns."""
        for (name,) in self._for_reading().rows("SELECT name FROM weightings WHERE state = 'stale'"):
            if concerns(name):
                warnings.warn(
                    f"the kept weights of {name} are older than the last addition, so they are computed anew; "
                    f"to keep them again: aptdb weigh {self.file} {name} --refresh",
                    StaleWeighting,
                    stacklevel=4,
                )

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


def only(number: int | None, ranked: str) -> str:
    """The clause that leaves only so many of the first rows of each window; none where number is None."""
    if number is None:
        return ""
    if not isinstance(number, int) or number < 1:
        raise QuestionError(f"per_path is {number}; it is a whole number, 1 or more")
    return f"QUALIFY row_number() OVER ({ranked}) <= {number}"


def in_form(settings: Given) -> dict[str, Any]:
    """Settings as given, with lists as tuples."""
    given: dict[str, Any] = dict(settings)
    if given.get("exclude_upos") is not None:
        given["exclude_upos"] = tag_tuple(given["exclude_upos"])
    return given
