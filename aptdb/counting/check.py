"""Check a corpus without a lexicon: its contents and faults; and settings that match nothing in the text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from aptdb.core.errors import IncompleteDataWarning, NoMatchWarning, warn, warnings_heard
from aptdb.core.one_line import name_first
from aptdb.core.settings import FEATURE, LONGEST_SENTENCE, MAX_ORDER, Settings, option_of_setting
from aptdb.corpus.faults import Fault, FaultHandler
from aptdb.corpus.sources import Source
from aptdb.counting.counts_only import add_counts
from aptdb.counting.reading import chunks_as_tokens
from aptdb.counting.staging import Addition, describe_skipped
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
from aptdb.store.statements import SqlText, statement

SHOWN = 3  # lexemes in a warning
FEW = 0.01  # a share of the words; treebanks have some without a lemma, e.g. the parts of one that is torn
TOKENS = SqlText("(SELECT word_id, relation_id, count(*) AS tokens FROM _store.token GROUP BY ALL)")

LEAVING = ("exclude_upos", "min_token_length", "stop_list")  # settings that leave out words
STEMMING = ("lexeme", "stemmer")
INSTEAD = {"lemma": "form", "upos": "xpos", "xpos": "upos"}  # columns that words may lack, and others in their place
SHOWN_AS = {"lemma": "lemma", "form": "forms", "upos": "UPOS", "xpos": "XPOS"}
Unused = tuple[str, str, str, str]  # a setting, a name in it, the kind of the name, and existing names


def names_something(settings: Settings) -> bool:
    """Return whether settings contain names that the text may lack."""
    named = (settings.join, settings.exclude_relations, settings.relation_map, settings.exclude_upos, settings.pos_map)
    return any(named) or any(FEATURE.fullmatch(part) for part in settings.lexeme_parts())


def written_names(tokens: SqlText = TOKENS) -> SqlText:
    """Return the query for the names that occur in tokens. tokens: a query or table (sql/counting/written_names)."""
    return statement("counting/written_names", tokens=tokens)


def unused_names(database: Database, written: SqlText) -> list[Unused]:
    """Return names in a lexicon's settings that its text lacks. written: the query for the text's names."""
    rows = database.rows(statement("counting/unused_settings", written=written))
    rows += database.rows(statement("counting/unused_features", written=written))
    return [(setting, name, kind, there) for setting, name, kind, there in rows]


class Lacking(NamedTuple):
    """A corpus, the number of its words, and how many of them lack a column, by its name."""

    corpus: str
    words: int
    columns: Counter[str]

    def instead(self) -> dict[str, str]:
        """Return the columns that more than a few words lack, each with one that fewer lack; '' if there is none."""
        absent = [column for column, words in self.columns.items() if words and words >= FEW * self.words]
        return {each: INSTEAD[each] if self.columns[INSTEAD[each]] < self.columns[each] else "" for each in absent}


def collect_notes(
    database: Database, settings: Settings, added: Sequence[Addition], known: int
) -> dict[str, type[Warning]]:
    """Return what to warn of when the addition of corpora is committed: messages and their categories.

    known: the greatest id of the lexemes that were there before.
    """
    called = name_first([each.corpus for each in added], 1)
    is_new = int(database.value("SELECT count(*) FROM _store.corpus")) == len(added)
    unused = unused_names(database, SqlText(f"({written_names()})")) if is_new and names_something(settings) else []
    mistakes = find_mistaken_settings(database, settings, called) if is_new else []
    names = dict(database.rows("SELECT id, name FROM _store.corpus"))
    own = {each.corpus for each in added}
    tokens = statement("counting/tokens_of", corpora=[number for number, name in names.items() if name in own])
    found = count_lacking_words(database, settings, SqlText(f"({tokens})"))
    lacking = [Lacking(names[corpus], words, columns) for corpus, words, columns in found]
    with warnings_heard() as heard:
        warn_of_unused(called, unused, mistakes)
        warn_of_lacking_fields(settings, lacking)
        warn_of_two_spellings(database.rows(statement("counting/spelt_twice", known=known)))
    return heard


def warn_of_unused(corpus: str, unused: list[Unused], others: list[str] | None = None) -> None:
    """Warn of names in settings that do not occur in the text. others: other warnings about settings."""
    for each in others or ():
        warn(each, NoMatchWarning)
    for setting, value, kind, there in unused:
        option = f"--{setting.replace('_', '-')}"
        warn(f"{option}: no word of {corpus} has the {kind} {value}; it has {there}", NoMatchWarning)


def find_mistaken_settings(database: Database, settings: Settings, corpus: str) -> list[str]:
    """Return warnings about settings that leave out all words, or stop or stem none. corpus: its name in warnings."""
    lexemes, stopped = database.rows(statement("counting/left_out"))[0]
    found = []
    if not lexemes:
        shown = dict(settings.shown())
        leaving = ", ".join(
            f"{option_of_setting(name)} {shown[option_of_setting(name)]}" for name in LEAVING if getattr(settings, name)
        )
        found.append(f"{corpus}: all words are left out, so nothing is counted ({leaving})")
    elif settings.stop_list and not stopped:
        found.append(f"--stop-list: it leaves out no word of {corpus} that would be counted without it")
    if settings.stemmer != Settings.stemmer and not settings.has_stem():
        found.append(f"--stemmer: lexemes are made of {settings.lexeme}, without {{stem}}; nothing is stemmed")
    return found


def count_lacking_words(
    database: Database, settings: Settings, tokens: SqlText
) -> Iterator[tuple[int, int, Counter[str]]]:
    """Yield the id of each corpus, its words, and how many lack a lemma, UPOS or XPOS, by column.

    None if lexemes are made of none of them. tokens: a query of words, by the id of their corpus and their own.
    """
    if any(f"{{{column}}}" in settings.lexeme_parts() for column in INSTEAD):
        for corpus, words, *absent in database.rows(statement("counting/lacking", tokens=tokens)):
            yield corpus, words, Counter(dict(zip(INSTEAD, absent, strict=True)))


def warn_of_lacking_fields(settings: Settings, lacking: Sequence[Lacking]) -> None:
    """Warn of words without a lemma, UPOS or XPOS, if lexemes are made of it and more than a few lack it."""
    alike: dict[tuple[tuple[str, str], ...], list[Lacking]] = {}
    for corpus in lacking:
        alike.setdefault(tuple(corpus.instead().items()), []).append(corpus)
    for there, corpora in alike.items():
        others = {f"{{{column}}}": f"{{{other}}}" if other else "" for column, other in there}
        mend = "".join(others.get(part, part) for part in settings.lexeme_parts()).rstrip("/")
        called, words = name_first([each.corpus for each in corpora], 1), sum(each.words for each in corpora)
        for column, other in there:
            if f"{{{column}}}" in settings.lexeme_parts():
                instead = f"a lexicon of {SHOWN_AS[other]} has them apart" if other else "without it"
                absent = sum(each.columns[column] for each in corpora)
                warn(
                    f"{called}: {absent:,} of {words:,} words have no {SHOWN_AS[column]}, and are counted as _; "
                    f"{instead}: --lexeme '{mend}'",
                    IncompleteDataWarning,
                )


def warn_of_two_spellings(spelt_twice: Sequence[tuple[str]]) -> None:
    """Warn of lexemes that look alike and are two, as Unicode writes a letter with an accent in two ways."""
    if spelt_twice:
        shown = name_first([text for (text,) in spelt_twice], SHOWN)
        warn(
            f"counted twice, as two lexemes that look the same (Unicode's NFC and NFD): {shown}; "
            "--nfc makes them one in a new lexicon",
            IncompleteDataWarning,
        )


FAULT = "fault"


def check(source: Any, *, max_sentence: int = LONGEST_SENTENCE) -> list[tuple[str, str]]:
    """Return properties of a corpus and their values: sizes, relations, parts of speech; and each fault, as file:line.

    source: as in `Lexicon.add`. Invalid sentences are not counted. Faults that may follow from another fault in the
    same sentence are not reported. Raises CorpusError if nothing can be read.
    """
    with Source(source) as opened, closing(in_memory()) as scratch, scratch.transaction():
        if opened.corpus_kind() == "counts":
            return [*check_corpus_of_counts(scratch, opened)]
        schema.create(scratch, Settings())
        return [*describe_trees(scratch, opened, max_sentence)]


def describe_trees(scratch: Database, source: Source, longest: int) -> Iterator[tuple[str, str]]:
    """Yield the contents of a corpus of trees."""
    faults: list[tuple[str, str]] = []

    def report(place: str, fault: Fault) -> None:
        faults.append((FAULT, f"{place}: {fault.problem}"))

    scratch.run(statement("counting/check/begin"))
    handler, tokens = FaultHandler(skip=True, report=report), 0
    with closing(chunks_as_tokens(scratch, Settings(), source, handler=handler, longest=longest)) as chunks:
        for _, found in chunks:
            tokens += found
            scratch.run(statement("counting/check/count"))
            scratch.run_whole(statement("counting/check/depth"))
    yield from ((str(row[0]), str(row[1])) for row in scratch.rows(statement("counting/check/report")))
    if not tokens and not faults:
        faults.append((FAULT, f"{source.place}: no valid sentence{describe_skipped(handler.skipped)}"))
    yield from faults


def check_corpus_of_counts(scratch: Database, source: Source) -> Iterator[tuple[str, str]]:
    """Yield the contents of a corpus of counts. Raises CorpusError for the first fault."""
    settings = Settings(order=MAX_ORDER)
    schema.create(scratch, settings)
    add_counts(scratch, settings, source, name=None, again=True)
    yield from ((str(row[0]), str(row[1])) for row in scratch.rows(statement("store/sizes"))[2:])
