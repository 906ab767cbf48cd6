"""Check a corpus without a lexicon: its contents and faults; and settings that match nothing in the text."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from aptdb.core.errors import SpeltTwice, UnusedSetting, WithoutLemmas, WithoutTags, warn
from aptdb.core.settings import FEATURE, LONGEST_SENTENCE, MAX_ORDER, Settings, option
from aptdb.corpus.faults import Fault, FaultHandler
from aptdb.corpus.sources import Source
from aptdb.counting.count_trees import left_out
from aptdb.counting.counts_only import add_counts
from aptdb.counting.reading import chunks_as_tokens
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


def unused_in_new(database: Database, settings: Settings) -> list[Unused]:
    """Return the unused names of a lexicon with a single corpus; [] if it has more corpora."""
    if not names_something(settings) or not is_first(database):
        return []
    return unused_names(database, SqlText(f"({written_names()})"))


def warn_of_unused(corpus: str, unused: list[Unused], others: list[str] | None = None) -> None:
    """Warn of names in settings that do not occur in the text. others: other warnings about settings."""
    for each in others or ():
        warn(each, UnusedSetting)
    for setting, value, kind, there in unused:
        option = f"--{setting.replace('_', '-')}"
        warn(f"{option}: no word of {corpus} has the {kind} {value}; there is {there}", UnusedSetting)


def is_first(database: Database) -> bool:
    """Return whether a lexicon has a single corpus."""
    return int(database.value("SELECT count(*) FROM _store.corpus")) == 1


def mistaken(database: Database, settings: Settings, corpus: str) -> list[str]:
    """Return warnings about settings that leave out all words, or stop or stem none. corpus: its name in warnings."""
    lexemes, stopped = database.rows(statement("counting/left_out"))[0]
    found = []
    if not lexemes:
        shown = dict(settings.shown())
        leaving = ", ".join(f"{option(name)} {shown[option(name)]}" for name in LEAVING if getattr(settings, name))
        found.append(f"{corpus}: all words are left out, so that nothing is counted ({leaving})")
    elif settings.stop_list and not stopped:
        found.append(f"--stop-list: it leaves out no word of {corpus} that would be counted without it")
    if settings.stemmer != Settings.stemmer and not settings.has_stem():
        found.append(f"--stemmer: lexemes are made of {settings.lexeme}, without {{stem}}; nothing is stemmed")
    return found


def lacking_words(database: Database, settings: Settings, tokens: SqlText) -> Counter[str]:
    """Return the number of words without a lemma, UPOS or XPOS, by column; none if lexemes are made of none of them.

    tokens: a query or table of words by id.
    """
    if not any(f"{{{column}}}" in settings.lexeme_parts() for column in INSTEAD):
        return Counter()
    return Counter(dict(zip(INSTEAD, database.rows(statement("counting/lacking", tokens=tokens))[0], strict=True)))


def warn_of_lacking(corpus: str, settings: Settings, lacking: Counter[str], tokens: int) -> None:
    """Warn of words without a lemma, UPOS or XPOS, if lexemes are made of it and more than a few lack it."""
    absent = [column for column, words in lacking.items() if words and words >= FEW * tokens]
    there = {column: INSTEAD[column] if lacking[INSTEAD[column]] < lacking[column] else "" for column in absent}
    others = {f"{{{column}}}": f"{{{other}}}" if other else "" for column, other in there.items()}
    mend = "".join(others.get(part, part) for part in settings.lexeme_parts()).rstrip("/")
    for column, other in there.items():
        if f"{{{column}}}" in settings.lexeme_parts():
            instead = f"a lexicon of {SHOWN_AS[other]} has them apart" if other else "without it"
            warn(
                f"{corpus}: {lacking[column]:,} of {tokens:,} words have no {SHOWN_AS[column]}, and are counted as _; "
                f"{instead}: --lexeme '{mend}'",
                WithoutLemmas if column == "lemma" else WithoutTags,
            )


def warn_of_two_spellings(spelt_twice: list[tuple[str]]) -> None:
    """Warn of lexemes that look alike and are two, as Unicode writes a letter with an accent in two ways."""
    if spelt_twice:
        shown = ", ".join(text for (text,) in spelt_twice[:SHOWN])
        more = f" and {len(spelt_twice) - SHOWN:,} more" if len(spelt_twice) > SHOWN else ""
        warn(
            f"counted twice, as two lexemes that look the same (Unicode's NFC and NFD): {shown}{more}; "
            "--nfc makes them one in a new lexicon",
            SpeltTwice,
        )


FAULT = "fault"


def check(source: Any, *, max_sentence: int = LONGEST_SENTENCE) -> list[tuple[str, str]]:
    """Return properties of a corpus and their values: sizes, relations, parts of speech; and each fault, as file:line.

    source: as in `Lexicon.add`. Invalid sentences are not counted. Faults that may follow from another fault in the
    same sentence are not reported. Raises CorpusError if nothing can be read.
    """
    with (
        Source(source) as opened,
        closing(in_memory()) as scratch,
        scratch.transaction(),
    ):
        if opened.corpus_kind() == "counts":
            return [*counts(scratch, opened)]
        schema.create(scratch, Settings())
        return [*trees(scratch, opened, max_sentence)]


def trees(scratch: Database, source: Source, longest: int) -> Iterator[tuple[str, str]]:
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
        faults.append((FAULT, f"{source.place}: no valid sentence{left_out(handler)}"))
    yield from faults


def counts(scratch: Database, source: Source) -> Iterator[tuple[str, str]]:
    """Yield the contents of a corpus of counts. Raises CorpusError for the first fault."""
    settings = Settings(order=MAX_ORDER)
    schema.create(scratch, settings)
    add_counts(scratch, settings, source, name=None, again=True)
    yield from ((str(row[0]), str(row[1])) for row in scratch.rows(statement("store/sizes"))[2:])
