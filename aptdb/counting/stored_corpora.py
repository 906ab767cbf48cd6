"""Change a lexicon by means of stored trees: merge another lexicon, rebuild this one, remove a corpus."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from aptdb.core.errors import CorpusError, LexiconError, QuestionError, SettingsError
from aptdb.core.one_line import escape_bytes
from aptdb.core.settings import LONGEST_SENTENCE, Given, Settings, check_settings
from aptdb.corpus.tabular import COUNTS, PLAIN_COUNTS
from aptdb.counting import counts_only, metadata
from aptdb.counting.check import (
    LEAVING,
    STEMMING,
    Unused,
    find_mistaken_settings,
    names_something,
    unused_names,
    warn_of_unused,
    written_names,
)
from aptdb.counting.conditions import check_condition, chosen_sentences, parse_condition
from aptdb.counting.count_pairs import CountedPairs, mark_all_stale, merge_added
from aptdb.counting.count_trees import CHOSEN, EVERY, OTHER, choose_sentences, copy_trees, count_stored, refuse_damaged
from aptdb.counting.reading import set_settings
from aptdb.counting.staging import FORMER, corpus_called, next_corpus, open_draft
from aptdb.store import integrity, open_files, schema
from aptdb.store.counts_folder import is_counts_folder
from aptdb.store.counts_location import find_counts_folder, refuse_counts_elsewhere
from aptdb.store.database import Database
from aptdb.store.file_writing import as_private_as, with_log
from aptdb.store.lexicon_file import making, no_lexicon, refuse_existing_file
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

Follow = Callable[[int, int], None]  # called with tokens done and in all
OWN = SqlText("_store")
NAMING = ("lexeme", "relations", "join", "exclude_relations", "relation_map", "exclude_upos", "pos_map")  # settings
EVERY_ID = SqlText('SELECT id AS sentence_id FROM "/other"._store.sentence')


@dataclass(frozen=True)
class Choice:
    """The selection from an attached lexicon: the condition, and the statement that selects sentence ids."""

    condition: str
    sentences: SqlText


def merge(
    session: Session,
    other: str | Path,
    *,
    prefix: str = "",
    max_sentence: int = LONGEST_SENTENCE,
    progress: Follow = lambda *_: None,
) -> list[str]:
    """Add all corpora of another lexicon, counted from its trees; return the names of the corpora.

    prefix: text before their names here. max_sentence: see `Lexicon.add`. One transaction. If all corpora are here
    already, under the same names, nothing is added, so that a stopped merge can be repeated. Raises SettingsError if it
    has other settings; CorpusError if only some of its corpora were added before, or under other names, or if one has
    asymmetric counts; and LexiconError.
    """
    file = Path(other)
    refuse_other_version(file)
    session.refuse_counts_elsewhere("nothing can be added to it")
    refuse_counts_elsewhere(file, find_counts_folder(file), "they cannot be merged")
    if session.file.exists() and file.samefile(session.file):
        raise LexiconError(f"{file} is this lexicon itself; name another one")
    if has_all_of(session, file, prefix):
        return []
    takes_theirs = other_settings(file).with_given(session.given)
    with as_private_as(file), session.growing(settings=takes_theirs, reach=with_log(file)) as database:
        attach(database, file)
        refuse_settings(session.settings, other_settings(file), file, f"aptdb rebuild {file} -o NEW")
        names = merge_attached(database, session.settings, file, prefix=prefix, longest=max_sentence, progress=progress)
        mark_all_stale(database)
        return names


def rebuild(
    session: Session,
    new: str | Path,
    *,
    where: str | None = None,
    max_sentence: int = LONGEST_SENTENCE,
    progress: Follow = lambda *_: None,
    **settings: Unpack[Given],
) -> None:
    """Count the stored trees again into a new file, with other settings if given (see `Lexicon.open`).

    where: a condition that selects sentences (see `Lexicon.subcorpus`). max_sentence: see `Lexicon.add`.

    Raises LexiconError if the file exists, CorpusError if a corpus came without trees, and QuestionError for a
    condition that is invalid or matches nothing.
    """
    file, wanted = Path(new), session.settings.with_given(check_settings(settings))
    refuse_existing_file(file)
    session.refuse_counts_elsewhere("there are no trees to count again")
    choice = None if where is None else chosen_by(session.reading(), where)
    session.reading()
    with session.alone(), making(file, wanted, session.file, session.limits) as database:
        attach(database, session.file)
        refuse_counts(database, session.file)
        merge_attached(
            database, wanted, session.file, prefix="", longest=max_sentence, progress=progress, choice=choice
        )
        mark_all_stale(database)
        unused = unused_of(database, wanted, session.settings)
        changed = any(getattr(wanted, each) != getattr(session.settings, each) for each in (*LEAVING, *STEMMING))
        mistakes = find_mistaken_settings(database, wanted, file.name) if changed else []
    warn_of_unused(session.file.name, unused, mistakes)


def unused_of(database: Database, wanted: Settings, before: Settings) -> list[Unused]:
    """Return the names in settings that do not occur in the text of a new lexicon; [] if names mean what they did.

    A map of names can take away what another setting names, so that all are looked at if one has changed.
    """
    if not names_something(wanted) or all(getattr(wanted, each) == getattr(before, each) for each in NAMING):
        return []
    return unused_names(database, SqlText(f"({written_names()})"))


def chosen_by(database: Database, where: str) -> Choice:
    """Return the selection of a condition in the attached lexicon. Raise QuestionError if it is empty."""
    condition = parse_condition(where)
    check_condition(database, condition)
    if not database.rows(f"{chosen_sentences(database, condition, OWN)} LIMIT 1"):
        raise QuestionError(f"no sentence fits {condition.text()}")
    return Choice(condition.text(), chosen_sentences(database, condition, OTHER))


def has_all_of(session: Session, file: Path, prefix: str) -> bool:
    """Return whether a lexicon has all corpora of another, under their names with the prefix, with equal content."""
    if not session.file.exists():
        return False
    try:
        own = session.reading()
    except LexiconError:  # which says more of it when we write
        return False
    with closing(Database(file, read_only=True)) as other:
        theirs = other.rows("SELECT name, sha256 FROM _store.corpus")
    known = set(own.rows("SELECT name, sha256 FROM _store.corpus"))
    return bool(theirs) and known >= {(prefix + name, digest) for name, digest in theirs}


def attach(database: Database, file: Path) -> None:
    """Attach another lexicon for reading. Raises LexiconError if it is not a lexicon.

    Its name is "/other": DuckDB names databases after their files, and no file has a slash in its name.
    """
    refuse_other_version(file)
    database.run(f'ATTACH {literal(str(file))} AS "/other" (READ_ONLY)')


def refuse_other_version(file: Path) -> None:
    """Raise LexiconError if a file is not a lexicon of this version, with tables as aptdb makes them."""
    if is_counts_folder(file):
        raise LexiconError(f"{file} is a folder of counts; add it with: aptdb add LEXICON {file}")
    if not file.is_file():
        raise no_lexicon(file)
    with closing(Database(file, read_only=True)) as other:
        if not open_files.is_verified(file):
            integrity.refuse_foreign(other)
        schema.check_revision(other)


def other_settings(file: Path) -> Settings:
    """Return the settings of the attached lexicon."""
    with closing(Database(file, read_only=True)) as other:
        return schema.read_stored_settings(other)


def refuse_settings(own: Settings, theirs: Settings, file: Path, mend: str) -> None:
    """Raise SettingsError if another lexicon or folder has other settings. mend: the command that counts it again."""
    differences = [
        f"{name} {other}, this lexicon {value}"
        for (name, value), (_, other) in zip(own.shown(), theirs.shown(), strict=True)
        if value != other and (name != "stemmer" or own.has_stem())
    ]
    if differences:
        raise SettingsError(
            f"{file} has other settings: {'; '.join(differences)}; count it again with the settings of this lexicon: "
            f"{mend} and these options"
        )


def merge_attached(
    database: Database,
    settings: Settings,
    file: Path,
    *,
    prefix: str,
    longest: int,
    progress: Follow,
    checked: bool = True,
    choice: Choice | None = None,
) -> list[str]:
    """Add all corpora of the attached lexicon, within the caller's transaction; return their names.

    choice: the selection; None for all. file: the file of the attached lexicon, for messages. prefix: text before the
    names. longest: words of a sentence, at most. checked: whether to refuse damaged trees, and counts that `add` would
    refuse.
    """
    if checked:
        refuse_damaged(database, OTHER, file)
    set_settings(database, settings)
    if wrong := database.rows(statement("counting/merge/no_relation")):
        raise LexiconError(
            f"{file} has a relation {wrong[0][0]!r}; a relation is a name without < or > (--relation-map renames it)"
        )
    corpora = database.rows(statement("counting/merge/corpora"))
    for each in corpora:
        refuse_same(database, each[1], prefix, each[3], file)
    total, done = sum(each[4] for each in corpora), 0
    trees: list[tuple[int, int, str]] = []  # corpora, by their ids there and here, and their names
    counted: list[tuple[int, int, str, bool]] = []  # those that came as counts, and whether they have direct ones
    with open_draft(database) as draft:
        pairs = CountedPairs(draft.database, settings)
        if choice is not None:
            wanted = choose_sentences(draft, OTHER, choice.sentences)
            corpora = [each for each in corpora if each[0] in wanted]
        for number, name, kind, _, tokens, has_direct in corpora:
            own_id = next_corpus(database)
            if kind == "trees":
                chosen = EVERY if choice is None else CHOSEN
                copy_trees(draft, settings, number, own_id, pairs, longest=longest, chosen=chosen)
                trees.append((number, own_id, name))
            else:
                counted.append((number, own_id, name, has_direct))
            record_merged_corpus(database, number, own_id, prefix + name, choice)
            done += tokens
            progress(done, total)
        pairs.fold()
        draft.bring_trees()
        merge_added(draft.bring_counts(1))
    metadata.copy_metadata(database, trees, file, EVERY_ID if choice is None else choice.sentences)
    for number, own_id, name, has_direct in counted:
        database.set(columns=len(COUNTS), has_direct=has_direct, is_triples=False)
        copy_counts(database, number, own_id, f"{file}: corpus {name}" if checked else None)
    return [prefix + each[1] for each in corpora]


def record_merged_corpus(database: Database, number: int, own_id: int, name: str, choice: Choice | None) -> None:
    """Add the record of a corpus of the attached lexicon, or of a selection from it."""
    noted = {"own": own_id, "corpus": number}
    if choice is None:
        database.run(statement("counting/merge/add_corpus"), {**noted, "name": name})
    else:
        how = {"choice": choice.sentences, "condition": choice.condition}
        database.run(statement("counting/subcorpus/add_corpus", **how), noted)


def copy_counts(database: Database, corpus_id: int, own_id: int, checked: str | None) -> None:
    """Add a corpus of counts from the attached lexicon, as a sorted run.

    checked: the name of the corpus in messages; None to copy it unchecked. Raises CorpusError, as for a file of counts,
    and if a co-occurrence occurs twice.
    """
    database.set(other_corpus_id=corpus_id)
    counts_only.with_functions_of_paths(database)
    counts_only.name_columns(database, PLAIN_COUNTS, PLAIN_COUNTS.names)
    database.run(statement("counting/counts_only/of_other"))
    if checked and (twice := database.first(statement("counting/counts_only/first_twice"))):
        raise CorpusError(
            f"{checked}: {twice.lexeme} {twice.path} {twice.context} occurs {twice.times} times; expected once"
        )
    lines = counts_only.Lines(checked) if checked else None
    counts_only.add_counts_of_lines(database, own_id, lines, "counting/counts_only/lexemes_of_other")
    if checked and (wrong := database.first(statement("counting/counts_only/wrong_tokens"))):
        raise CorpusError(f"{checked}: {wrong.text} must have one number of tokens, 1 or more, with its counts")
    database.run("UPDATE _store.settings SET runs = runs + 1")


def refuse_same(database: Database, name: str, prefix: str, digest: str, file: Path) -> None:
    """Raise CorpusError if the lexicon has a corpus with this content, or with its new name."""
    for own, own_digest in database.rows("SELECT name, sha256 FROM _store.corpus"):
        if own_digest == digest:
            raise CorpusError(f"{file}: its corpus {name} was added before, as {own}; it would count twice")
        if own == prefix + name:
            mend = "merge it alone, with another --prefix" if prefix else "give its corpora other names with --prefix"
            raise CorpusError(f"{file} has a corpus {name}, and this lexicon has another corpus {own}; {mend}")


def refuse_counts(database: Database, file: Path) -> None:
    """Raise CorpusError if the attached lexicon has a corpus without trees, which cannot be counted again."""
    for _, name, kind, *_ in database.rows(statement("counting/merge/corpora")):
        if kind == "counts":
            raise CorpusError(
                f"{file}: corpus {name} was added as counts, without trees, so it cannot be counted again; "
                f"remove it first: aptdb remove {file} {name}"
            )


def remove(session: Session, corpus: str) -> None:
    """Remove a corpus: exactly what it added.

    Raises CorpusError if there is no corpus with this name, and LexiconError if its stored trees are damaged.
    """
    remove_all(session, [escape_bytes(corpus)])  # as it was named after its file


def remove_all(session: Session, corpora: Sequence[str]) -> None:
    """Remove corpora in one transaction. Raises like `remove`."""
    session.refuse_counts_elsewhere("nothing can be removed from it")
    with session.writing() as database:
        refuse_damaged(database, OWN, session.file, corpora)
        take_out_corpora(database, session.settings, corpora)


def rename(session: Session, names: Mapping[str, str], files: Mapping[str, str]) -> None:
    """Give corpora other names, all in one transaction; one that has such a name, and gets no other, is removed.

    names: the new names by the former ones; files: the names of their files now, by the new names. Subcorpora become
    stale, since their conditions may name corpora.
    """
    session.refuse_counts_elsewhere("nothing can be renamed in it")
    with session.writing() as database:
        there = {name for (name,) in database.rows("SELECT name FROM _store.corpus")}
        if gone := sorted(({*names.values()} - names.keys()) & there):
            refuse_damaged(database, OWN, session.file, gone)
            take_out_corpora(database, session.settings, gone)
        own = {new: corpus_called(database, former).id for former, new in names.items()}
        for new, corpus in own.items():
            database.run(
                "UPDATE _store.corpus SET name = $name WHERE id = $id", {"name": f"{FORMER}{new}", "id": corpus}
            )
        for former, new in names.items():
            renamed = {"name": new, "source": files[new], "id": own[new]}
            database.run("UPDATE _store.corpus SET name = $name, source = $source WHERE id = $id", renamed)
            database.run(statement("counting/merge/rename_document", corpus=own[new], former=former, new=new))
        database.run("UPDATE _store.derived SET state = 'stale' WHERE kind = 'subcorpus'")
        schema.renew(database)


@contextmanager
def replacing(database: Database, settings: Settings, names: Sequence[str], *, replace: bool) -> Iterator[None]:
    """Add corpora within the block; then remove those that had their names, if they are to be replaced.

    Within the caller's transaction. The former ones are removed last, because a draft has the words that were there
    when the transaction began.
    """
    there = {name for (name,) in database.rows("SELECT name FROM _store.corpus")} if replace else set()
    held = [name for name in names if name in there]
    refuse_damaged(database, OWN, database.file, held)
    former = {name: f"{FORMER}{secrets.token_hex(8)}" for name in held}
    for name, other in former.items():
        database.run("UPDATE _store.corpus SET name = $other WHERE name = $name", {"other": other, "name": name})
    yield
    if held:
        take_out_corpora(database, settings, [*former.values()])


def take_out_corpora(database: Database, settings: Settings, names: Sequence[str]) -> None:
    """Remove corpora, within the caller's transaction.

    Subtracts the counts of their stored trees (or their own counts). Raises CorpusError for an unknown corpus, and
    LexiconError if the counts of the lexicon do not match its trees.
    """
    found = [corpus_called(database, name) for name in names]
    for each in found:
        if each.kind == "counts":
            counts_only.subtract_counts(database, each.id)
    for has_direct in (True, False):
        if own := [each.id for each in found if each.kind != "counts" and each.has_direct == has_direct]:
            with open_draft(database, adds=False) as draft:
                count_stored(draft, settings, own)
                merge_added(draft.bring_counts(-1, sign_of_merged=-1 if has_direct else 0))
            database.set(corpus_ids=own)
            database.run(statement("counting/remove/forget_trees"))
            metadata.drop_unused(database)
    if database.value(statement("counting/remove/wrong_counts")):
        raise LexiconError(
            f"{database.file}: the counts do not match the stored trees, so nothing was removed; "
            f"see the differences with: aptdb verify {database.file}"
        )
    database.run("DELETE FROM _store.corpus WHERE list_contains($ids, id)", {"ids": [each.id for each in found]})
    mark_all_stale(database)
