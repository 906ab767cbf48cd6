"""Brings what another lexicon holds into this one, corpus by corpus, counted anew from its trees: merge and rebuild."""

from collections.abc import Callable
from pathlib import Path

from aptdb import given, schema
from aptdb.counting import next_corpus
from aptdb.database import Database, literal
from aptdb.errors import CorpusError, LexiconError, SettingsError
from aptdb.settings import Settings
from aptdb.statements import statement
from aptdb.tables import corpus as corpus_table
from aptdb.tallying import Tally
from aptdb.trees import copy_trees

Follow = Callable[[int, int], None]  # told how many tokens of how many are done


def attach(database: Database, file: Path) -> None:
    """Attach another lexicon as `other`, to be read. Raises LexiconError where it is none."""
    refuse_other(file)
    database.run(f"ATTACH {literal(str(file))} AS other (READ_ONLY)")


def refuse_other(file: Path) -> None:
    """Raise LexiconError where a file is no lexicon of this version."""
    if not file.is_file():
        raise LexiconError(f"no lexicon {file}; make one with: aptdb add {file} FILE.conllu")
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
    """Raise SettingsError where another lexicon counts otherwise, naming the first difference and the mend."""
    theirs = other_settings(file)
    for (name, value), (_, other) in zip(own.shown(), theirs.shown(), strict=True):
        if value != other:
            raise SettingsError(
                f"{file} has {name} {other}, this lexicon {value}; count it anew as this one does: "
                f"aptdb rebuild {file} … -o NEW"
            )
    if own != theirs:
        raise SettingsError(f"{file} has other settings; see both with: aptdb info")


def merge(database: Database, settings: Settings, file: Path, *, prefix: str, progress: Follow) -> list[str]:
    """Add all corpora of the attached lexicon, within the transaction that the caller has begun; returns their names.

    file: what it was attached from, for messages. prefix: what their names are to begin with here.
    """
    corpora = database.rows(statement("merge/corpora"))
    for each in corpora:
        refuse_same(database, prefix + each[1], each[3], file)
    total, done = sum(each[4] for each in corpora), 0
    tally = Tally(database, settings)
    names = []
    for number, name, kind, _, tokens in corpora:
        own_id = next_corpus(database)
        if kind == "trees":
            copy_trees(database, settings, number, own_id, tally)
        database.run(statement("merge/add_corpus"), {"own": own_id, "name": prefix + name, "corpus": number})
        names.append(prefix + name)
        done += tokens
        progress(done, total)
    tally.merge()
    for number, name, kind, *_ in corpora:
        if kind == "counts":
            copy_counts(database, number, prefix + name)
    return names


def copy_counts(database: Database, corpus_id: int, name: str) -> None:
    """Add the counts of a corpus of the attached lexicon that came without trees."""
    database.set(other_corpus_id=corpus_id)
    database.run(statement("given/of_other"))
    given.add(database, corpus_of(database, name))


def corpus_of(database: Database, name: str) -> int:
    """The id of one of the lexicon's own corpora."""
    import sqlalchemy as sa

    return int(database.value(sa.select(corpus_table.c.id).where(corpus_table.c.name == name)))


def refuse_same(database: Database, name: str, digest: str, file: Path) -> None:
    """Raise CorpusError where a corpus is in already, by its content or its name."""
    for own, own_digest in database.rows("SELECT name, sha256 FROM _store.corpus"):
        if own_digest == digest:
            raise CorpusError(f"{file}: its corpus {name} is in already, as {own}; it would count twice")
        if own == name:
            raise CorpusError(
                f"{file} has a corpus {name}, and this lexicon another of that name; give its corpora other names with "
                "--prefix"
            )


def refuse_counts(database: Database, file: Path) -> None:
    """Raise CorpusError where the attached lexicon has a corpus without trees, which cannot be counted anew."""
    for _, name, kind, *_ in database.rows(statement("merge/corpora")):
        if kind == "counts":
            raise CorpusError(
                f"{file}: corpus {name} came as counts, without trees, and cannot be counted anew; "
                f"take it out first: aptdb remove {file} {name}"
            )
