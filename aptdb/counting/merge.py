"""Brings what another lexicon holds into this one, corpus by corpus, counted anew from its trees: merge and rebuild."""

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from sqlalchemy import select

from aptdb.counting import counts_only
from aptdb.counting.corpora import next_corpus
from aptdb.counting.count_pairs import Tally, grown
from aptdb.counting.reading import set_settings
from aptdb.counting.stored_trees import copy_trees
from aptdb.errors import CorpusError, LexiconError, SettingsError
from aptdb.settings import Given, Settings, in_form
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.literals import literal
from aptdb.store.session import Session, making, no_lexicon, refuse_taken
from aptdb.store.statements import statement
from aptdb.store.tables import settings as settings_table

Follow = Callable[[int, int], None]  # told how many tokens of how many are done


def merge(session: Session, other: str | Path, *, prefix: str = "", progress: Follow = lambda *_: None) -> list[str]:
    """Add all that another lexicon holds, corpus by corpus, counted from its trees; returns the corpora's names.

    prefix: what their names begin with here. One transaction. Raises SettingsError where it counts otherwise,
    CorpusError where a corpus is in already, and LexiconError.
    """
    file = Path(other)
    refuse_other(file)
    if session.file.exists() and file.samefile(session.file):
        raise LexiconError(f"{file} is the lexicon itself")
    takes_theirs = other_settings(file).with_given(session.given)
    with session.growing(settings=takes_theirs) as database:
        attach(database, file)
        refuse_settings(session.settings, file)
        names = merge_attached(database, session.settings, file, prefix=prefix, progress=progress)
        grown(database)
        return names


def rebuild(
    session: Session, new: str | Path, *, progress: Follow = lambda *_: None, **settings: Unpack[Given]
) -> None:
    """Count the stored trees anew into another file, with other settings where they are given (see `Lexicon.open`).

    Raises LexiconError where the file is there already, and CorpusError where a corpus came without trees.
    """
    file, wanted = Path(new), session.settings.with_given(in_form(settings))
    refuse_taken(file)
    session.reading()
    session.let_go()
    with making(file, wanted) as database:
        attach(database, session.file)
        refuse_counts(database, session.file)
        merge_attached(database, wanted, session.file, prefix="", progress=progress)
        grown(database)


def attach(database: Database, file: Path) -> None:
    """Attach another lexicon, to be read. Raises LexiconError where it is none.

    It is called "/other": DuckDB calls a database as its file is called, and no file has a slash in its name.
    """
    refuse_other(file)
    database.run(f'ATTACH {literal(str(file))} AS "/other" (READ_ONLY)')


def refuse_other(file: Path) -> None:
    """Raise LexiconError where a file is no lexicon of this version."""
    if not file.is_file():
        raise no_lexicon(file)
    other = Database(file, read_only=True)
    try:
        schema.check_revision(other)
    finally:
        other.close()


def other_settings(file: Path) -> Settings:
    """The settings of another lexicon."""
    other = Database(file, read_only=True)
    try:
        return schema.read_settings(other)
    finally:
        other.close()


def refuse_settings(own: Settings, file: Path) -> None:
    """Raise SettingsError where another lexicon counts otherwise, naming what differs and the mend."""
    theirs = other_settings(file)
    differences = [
        f"{name} {other}, this lexicon {value}"
        for (name, value), (_, other) in zip(own.shown(), theirs.shown(), strict=True)
        if value != other and (name != "stemmer" or own.has_stem())
    ]
    if differences:
        raise SettingsError(
            f"{file} counts otherwise: it has {'; '.join(differences)}; count it anew as this one does, with "
            f"aptdb rebuild {file} -o NEW and these options"
        )


def merge_attached(database: Database, settings: Settings, file: Path, *, prefix: str, progress: Follow) -> list[str]:
    """Add all corpora of the attached lexicon, within the transaction that the caller has begun; returns their names.

    file: what it was attached from, for messages. prefix: what their names are to begin with here.
    """
    corpora = database.rows(statement("counting/merge/corpora"))
    for each in corpora:
        refuse_same(database, each[1], prefix, each[3], file)
    total, done = sum(each[4] for each in corpora), 0
    set_settings(database, settings)
    tally = Tally(database, settings)
    counted: list[tuple[int, int]] = []  # corpora that came as counts, by their ids there and here
    for number, name, kind, _, tokens in corpora:
        own_id = next_corpus(database)
        if kind == "trees":
            copy_trees(database, settings, number, own_id, tally)
        else:
            counted.append((number, own_id))
        database.run(statement("counting/merge/add_corpus"), {"own": own_id, "name": prefix + name, "corpus": number})
        done += tokens
        progress(done, total)
    tally.merge()
    for number, own_id in counted:
        copy_counts(database, number, own_id)
    return [prefix + each[1] for each in corpora]


def copy_counts(database: Database, corpus_id: int, own_id: int) -> None:
    """Add the counts of a corpus of the attached lexicon that came without trees; they are a run by themselves."""
    database.set(other_corpus_id=corpus_id)
    database.run(statement("counting/counts_only/of_other"))
    counts_only.add(database, own_id)
    database.run(settings_table.update(), {"runs": int(database.value(select(settings_table.c.runs))) + 1})


def refuse_same(database: Database, name: str, prefix: str, digest: str, file: Path) -> None:
    """Raise CorpusError where a corpus is in already, by its content or by the name that it is to have."""
    for own, own_digest in database.rows("SELECT name, sha256 FROM _store.corpus"):
        if own_digest == digest:
            raise CorpusError(f"{file}: its corpus {name} is in already, as {own}; it would count twice")
        if own == prefix + name:
            raise CorpusError(
                f"{file} has a corpus {name}, and this lexicon another that is called {own}; give its corpora other "
                "names with --prefix"
            )


def refuse_counts(database: Database, file: Path) -> None:
    """Raise CorpusError where the attached lexicon has a corpus without trees, which cannot be counted anew."""
    for _, name, kind, *_ in database.rows(statement("counting/merge/corpora")):
        if kind == "counts":
            raise CorpusError(
                f"{file}: corpus {name} came as counts, without trees, and cannot be counted anew; "
                f"take it out first: aptdb remove {file} {name}"
            )
