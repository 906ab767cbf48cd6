"""A lexicon: opened, added to, and asked. The questions are the SQL macros of the same names (design 5)."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self, TypedDict, Unpack

from aptdb import schema
from aptdb.corpus import Source
from aptdb.counting import Addition, Progress, count_source
from aptdb.database import Database, SqlText, literal
from aptdb.errors import LexiconError, PhraseError, QuestionError
from aptdb.phrase import Phrase, Word
from aptdb.reading import sentence_rows
from aptdb.result import Result
from aptdb.settings import Settings, tag_tuple
from aptdb.statements import statement

ADDING_MEMORY = "1GB"  # for DuckDB's own buffers while a corpus is added; what does not fit goes to disk

Merge = Literal["sum", "min", "max", "mult", "intersective_add"]
Pipeline = Literal["compose-second", "compose-first"]
Phi = Literal["constant", "harmonic", "probability"]
Question = str | Phrase | Sequence[Word]


class Given(TypedDict, total=False):
    """Settings that may be given when a lexicon is made or opened; None is as good as not given."""

    order: int | None
    lexeme: str | None
    lowercase: bool | None
    exclude_upos: Sequence[str] | None
    relations: str | None


class Weighting(TypedDict, total=False):
    """Parameters of the weights and of composition that every question takes: design 3 and 5."""

    weights: str
    merge: Merge
    pipeline: Pipeline
    aligned: bool
    anchor: int
    cds: float
    cds_total: Literal["power_of_sum", "sum_of_powers"]
    scope: Literal["path", "all"]
    shift: float
    min_count: int
    min_feature_count: int
    max_order: int


class Vectorising(Weighting, total=False):
    """The same with phi, for the questions that make vectors."""

    phi: Phi


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

    def apt(self, x: Question, *, per_path: int | None = None, **parameters: Unpack[Weighting]) -> Result:
        """The APT of a lexeme or phrase: rows of path, context, weight; the heaviest first on each path.

        x is a lexeme's text, or a phrase: a Phrase, its text in brackets, or its words as SQL takes them.
        per_path: only so many of the heaviest features of each path.
        """
        return self._features(call("apt", [words_of(x)], parameters), per_path)

    def compose(self, phrase: Question, *, per_path: int | None = None, **parameters: Unpack[Weighting]) -> Result:
        """The APT composed for a phrase (the paper's equation 9): rows as in `apt`."""
        words = words_of(phrase)
        asked = [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words
        return self._features(call("compose", [asked], parameters), per_path)

    def _features(self, apt: SqlText, per_path: int | None) -> Result:
        """The rows of an APT, path by path."""
        if per_path is not None and (not isinstance(per_path, int) or per_path < 1):
            raise QuestionError(f"per_path is {per_path}; it is a whole number, 1 or more")
        heaviest = "row_number() OVER (PARTITION BY path ORDER BY round(weight, 12) DESC, context)"
        kept = "" if per_path is None else f"QUALIFY {heaviest} <= {per_path}"
        return self._ask(f"FROM {apt} {kept} ORDER BY path, round(weight, 12) DESC, context")

    def neighbours(
        self,
        x: Question,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[Vectorising],
    ) -> Result:
        """The lexemes nearest to a lexeme or phrase: rows of lexeme, similarity, best first.

        pos: `same` as x, `any`, or a tag. min_frequency: the fewest tokens of a neighbour; None is one per 25,000
        tokens of the lexicon, at least 1 and at most 50.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        return self._ask(f"FROM {call('neighbours', [words_of(x)], {**own, **parameters})}")

    def similarity(self, a: Question, b: Question, **parameters: Unpack[Vectorising]) -> float | None:
        """The cosine of two lexemes or phrases (the paper's equation 6); None where the vector of one is empty."""
        value = self._ask(f"SELECT {call('similarity', [words_of(a), words_of(b)], parameters)}").rows[0][0]
        return None if value is None else float(value)

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
        """The rows of one SELECT of your own; `$name` stands for a parameter. It can change nothing.

        Raises QuestionError where it is not one SELECT, or does not run.
        """
        refuse_all_but_select(self._for_reading(), query)
        return self._ask(query, parameters)

    def info(self) -> Result:
        """The settings and sizes: rows of property, value, all text."""
        settings = [("file", str(self.file)), *self.settings.shown()]
        sizes = self._ask(statement("ask/sizes"))
        return Result(sizes.columns, sizes.types, [*settings, *sizes.rows])

    def corpora(self) -> Result:
        """What went in: a row for each corpus, with its name, source, sizes, time, version and sha256."""
        return self._ask(statement("ask/corpora"))

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


def leave_nothing(file: Path) -> None:
    """Take away a file that a failing addition has made."""
    for each in (file, file.with_name(f"{file.name}.wal")):
        each.unlink(missing_ok=True)


def open_database(file: Path, *, create: bool, confined: bool = False) -> Database | None:
    """The database of a lexicon, for reading, with today's macros and views; None where it is to be made."""
    if not file.exists():
        if not create:
            raise LexiconError(f"no lexicon {file}; make one with: aptdb add {file} FILE.conllu")
        refuse_folder(file)
        return None
    if file.is_dir():
        refuse_folder(file)
    database = Database(file, read_only=True, confined=confined)
    try:
        if create and schema.is_empty(database):
            database.close()
            return None
        schema.check_revision(database)
        if schema.definitions_differ(database):
            database.close()
            database = with_new_definitions(file, confined=confined)
    except BaseException:
        database.close()
        raise
    return database


def with_new_definitions(file: Path, *, confined: bool) -> Database:
    """Bring the macros and views of a lexicon to this version's, and open it again for reading."""
    try:
        writable = Database(file, read_only=False)
    except LexiconError as error:
        raise LexiconError(
            f"{file} has the macros of another version, to be renewed when it is opened; {error}"
        ) from error
    try:
        schema.migrate(writable)
    finally:
        writable.close()
    return Database(file, read_only=True, confined=confined)


def refuse_folder(file: Path) -> None:
    """Raise LexiconError where a file cannot be in that place."""
    if file.is_dir():
        raise LexiconError(f"{file} is a folder; name a file, as {file / 'lexicon.duckdb'}")
    if not file.parent.is_dir():
        raise LexiconError(f"no folder {file.parent}; make it first, or name another place")


def in_form(settings: Given) -> dict[str, Any]:
    """Settings as given, with lists as tuples."""
    given: dict[str, Any] = dict(settings)
    if given.get("exclude_upos") is not None:
        given["exclude_upos"] = tag_tuple(given["exclude_upos"])
    return given


def words_of(x: Question) -> str | list[Word]:
    """What SQL takes for a lexeme or phrase. Text that ends with ] is a phrase, any other a lexeme as it stands."""
    if isinstance(x, str):
        return Phrase.parse(x).words() if x.endswith("]") else x
    if isinstance(x, Phrase):
        return x.words() if x.dependents else x.lexeme
    try:
        return [{"lexeme": word["lexeme"], "delta": word["delta"]} for word in x]
    except (KeyError, TypeError) as error:
        raise QuestionError("a phrase is a list of words, each with its lexeme and its delta") from error


def call(name: str, arguments: Sequence[object], parameters: Mapping[str, object]) -> SqlText:
    """A call of a macro as SQL writes it. Raises QuestionError for a parameter that the question does not take."""
    for parameter in parameters:
        if parameter not in PARAMETERS[name]:
            raise QuestionError(f"{name} takes no {parameter}; there is {', '.join(sorted(PARAMETERS[name]))}")
    named = [f"{parameter} := {literal(value)}" for parameter, value in parameters.items()]
    return SqlText(f"{name}({', '.join([*map(literal, arguments), *named])})")


def refuse_all_but_select(database: Database, query: str) -> None:
    """Raise QuestionError where a query is not one SELECT, which includes FROM …, DESCRIBE, SHOW and SUMMARIZE.

    DuckDB also calls a SELECT one that writes in a WITH clause; its syntax tree tells.
    """
    text = str(database.value("SELECT json_serialize_sql($query)::VARCHAR", {"query": query}))
    tree = json.loads(text)
    if tree["error"] and tree["error_type"] == "parser":
        raise QuestionError(" ".join(f"Parser Error: {tree['error_message']}".split()))
    writes = re.search(r'"type":"(?!CTE_)\w+_QUERY_NODE"', text)
    if tree["error"] or len(tree["statements"]) != 1 or writes:
        raise QuestionError("aptdb sql takes one SELECT and nothing else; other statements are for DuckDB's own client")


PARAMETERS = {
    "apt": set(Weighting.__annotations__),
    "compose": set(Weighting.__annotations__),
    "neighbours": {*Weighting.__annotations__, *Vectorising.__annotations__, "top", "pos", "min_frequency"},
    "similarity": {*Weighting.__annotations__, *Vectorising.__annotations__},
}
