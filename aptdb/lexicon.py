"""A lexicon: open it, add to it, ask it. Each method is a function of its room, which takes the session."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar, Unpack

from aptdb.counting.add import add, holds
from aptdb.counting.merge import merge, rebuild
from aptdb.counting.phrases import phrases
from aptdb.counting.remove import remove
from aptdb.counting.verify import verify
from aptdb.evaluation.evaluate import evaluate, evaluations, missing_words
from aptdb.evaluation.experiments import table_5, table_6, tables_2_to_4
from aptdb.evaluation.report import report
from aptdb.exchange.export import export
from aptdb.parameters.declare import spelled_out
from aptdb.questions.answers import count, evidence, frames, sql, ways
from aptdb.questions.ask import (
    apt,
    compose,
    compose_each,
    contextualise,
    diff,
    explain,
    neighbours,
    neighbours_each,
    plausible,
    similarity,
    similarity_each,
)  # fmt: skip
from aptdb.questions.entries import entries, forget_entry, refresh_entries, save
from aptdb.questions.overview import corpora, info
from aptdb.questions.thesaurus import thesaurus
from aptdb.questions.weightings import forget, refresh, weigh, weightings
from aptdb.settings import Given, Settings, checked
from aptdb.store.limits import limits
from aptdb.store.session import Session, compact
from aptdb.store.session import migrate as migrate_file

Taken = ParamSpec("Taken")
Answer = TypeVar("Answer")


def method(function: Callable[Concatenate[Session, Taken], Answer]) -> Callable[Concatenate["Lexicon", Taken], Answer]:
    """A function of a session as a method of a lexicon, with its documentation and all its parameters by name."""

    @wraps(function)
    def asked(self: "Lexicon", /, *arguments: Taken.args, **parameters: Taken.kwargs) -> Answer:
        return function(self._session, *arguments, **parameters)

    itself = spelled_out(lambda self: None)
    taken = spelled_out(function, skip=1)
    signature = taken.replace(parameters=[*itself.parameters.values(), *taken.parameters.values()])
    asked.__signature__ = signature  # type: ignore[attr-defined]
    return asked


class Lexicon:
    """A distributional lexicon in one DuckDB file. Use it in a `with` block, or call close().

    A file is opened for reading, so that many processes can ask at once; `add` opens it for writing, alone.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    # Open and close
    @classmethod
    def open(
        cls,
        file: str | Path,
        *,
        create: bool = False,
        confined: bool = True,
        memory: str | int | None = None,
        temp: str | Path | None = None,
        **settings: Unpack[Given],
    ) -> Self:
        """Open a lexicon. With create, the first `add` creates it if it does not exist.

        confined: whether questions can reach this file only, whatever their SQL and the views in the file are. memory:
        how much the process may use, e.g. "2GB", or a number of bytes; by default APTDB_MEMORY, else a quarter of the
        machine's, at least 1 GB. temp: the folder for what does not fit; by default APTDB_TEMP, else beside the file.

        Settings (order, lexeme, lowercase, exclude_upos, relations, …: see Settings) are fixed when a lexicon is
        created. If it exists, they must be the same. Raises LexiconError and SettingsError.
        """
        kept = limits(memory, temp)
        return cls(Session(Path(file), create=create, confined=confined, given=checked(settings), limits=kept))

    @staticmethod
    def migrate(file: str | Path) -> str:
        """Update an older lexicon to this version; returns the schema that it had. Raises LexiconError."""
        return migrate_file(Path(file))

    def close(self) -> None:
        """Close the file for good. Closing it again does nothing."""
        self._session.close()

    @property
    def file(self) -> Path:
        """The file of the lexicon."""
        return self._session.file

    @property
    def settings(self) -> Settings:
        """How the lexicon counts."""
        return self._session.settings

    # Corpora
    add = method(add)
    holds = method(holds)
    remove = method(remove)
    merge = method(merge)
    rebuild = method(rebuild)
    verify = method(verify)
    compact = method(compact)

    # Contents
    info = method(info)
    corpora = method(corpora)
    phrases = method(phrases)
    sql = method(sql)

    # Lexemes
    apt = method(apt)
    neighbours = method(neighbours)
    neighbours_each = method(neighbours_each)
    similarity = method(similarity)
    similarity_each = method(similarity_each)
    explain = method(explain)
    diff = method(diff)
    evidence = method(evidence)
    frames = method(frames)
    count = method(count)
    ways = method(ways)

    # Phrases
    compose = method(compose)
    compose_each = method(compose_each)
    contextualise = method(contextualise)
    plausible = method(plausible)
    save = method(save)
    entries = method(entries)
    refresh_entries = method(refresh_entries)
    forget_entry = method(forget_entry)

    # Weights and vectors
    weigh = method(weigh)
    weightings = method(weightings)
    refresh = method(refresh)
    forget = method(forget)
    thesaurus = method(thesaurus)
    export = method(export)

    # Evaluation
    evaluate = method(evaluate)
    missing_words = method(missing_words)
    evaluations = method(evaluations)
    tables_2_to_4 = method(tables_2_to_4)
    table_5 = method(table_5)
    table_6 = method(table_6)
    report = method(report)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
