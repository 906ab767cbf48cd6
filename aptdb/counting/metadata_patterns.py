"""Patterns that find metadata in names and comments that a corpus has (`--meta-from SOURCE:REGEX`)."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from aptdb.core.errors import AptError, CorpusError, UnusedSetting, warn
from aptdb.corpus.joined_files import display_name
from aptdb.counting.new_corpora import NewCorpus, refuse
from aptdb.store.database import Database, in_memory
from aptdb.store.statements import SqlText, literal, statement

SHOWN_TEXT = 60  # characters of a text that does not match
OF_DOCUMENT = "meta::"  # begins the names of comments of documents
TITLE = "doc_title"  # is one too
# The texts of a pattern that are not values of a comment, by source: its level, and the statement that selects them.
TEXTS = {
    "sent_id": ("sentence", "counting/metadata/sent_ids"),
    "document": ("document", "counting/metadata/document_names"),
    "file": ("document", "counting/metadata/file_names"),
}
OF_COMMENTS = {
    "document": "counting/metadata/comments_of_documents",
    "sentence": "counting/metadata/comments_of_sentences",
}
UNITS = {"document": "counting/metadata/document_units", "sentence": "counting/metadata/sentence_units"}
SOURCE = re.compile(rf"((?:{OF_DOCUMENT})?[^:]+):(.+)", re.DOTALL)
# What may stand in a regular expression of RE2 before and between groups, and the beginning of a group.
GROUP = re.compile(
    r"""\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^]\\])*\]|\(\?P<(?P<name>[^>]*)>|\(\?|(?P<unnamed>\()""",
    re.DOTALL,
)
EXAMPLE = r"e.g. 'sent_id:^(?P<year>\d{4})'"


@dataclass(frozen=True)
class Pattern:
    """A regular expression (RE2) over a text that each sentence or document has; its named groups become metadata.

    source: sent_id, document, file, or the name of a comment. groups: the names of all groups, '' for one without.
    """

    source: str
    regex: str
    groups: tuple[str, ...]

    @property
    def level(self) -> str:
        """Return the level of its metadata: document or sentence."""
        if is_of_document(self.source):
            return "document"
        return TEXTS.get(self.source, ("sentence", ""))[0]

    @property
    def names(self) -> list[str]:
        """Return the names of its named groups."""
        return [name for name in self.groups if name]

    @property
    def comment(self) -> str | None:
        """Return the comment of sentences that it reads; None if it reads something else."""
        return None if self.source in TEXTS or is_of_document(self.source) else self.source


def is_of_document(comment: str) -> bool:
    """Return whether a comment, by its name, is one of documents."""
    return comment.startswith(OF_DOCUMENT) or comment == TITLE


def patterns_of(meta_from: Any) -> tuple[Pattern, ...]:
    """Return patterns from texts SOURCE:REGEX. Raise CorpusError."""
    texts: Any = () if meta_from is None else meta_from
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        raise CorpusError(f"meta_from is {meta_from!r:.60}; expected a list of patterns, {EXAMPLE}")
    if not texts:
        return ()
    with closing(in_memory()) as scratch:
        return tuple(pattern_of(each, scratch) for each in texts)


def pattern_of(text: str, scratch: Database) -> Pattern:
    """Return the pattern of one text SOURCE:REGEX. Raise CorpusError if it is invalid, or has no named group."""
    written = SOURCE.fullmatch(text)
    if written is None or not is_name(written[1]) or not is_unicode(text) or "\0" in text:
        raise CorpusError(
            f"--meta-from {text!r:.80}: expected SOURCE:REGEX, {EXAMPLE}; SOURCE is {', '.join(TEXTS)}, or the name of "
            "a comment"
        )
    source, regex = written.groups()
    try:
        scratch.value(f"SELECT regexp_matches('', {literal(regex)})")
    except AptError as error:
        why = str(error).rpartition("Input Error: ")[2]
        raise CorpusError(f"--meta-from {text}: not a regular expression of RE2: {why:.120}") from error
    groups = tuple(each["name"] or "" for each in GROUP.finditer(regex) if each["name"] or each["unnamed"])
    pattern = Pattern(source, regex, groups)
    if not pattern.names:
        raise CorpusError(f"--meta-from {text}: no group has a name, so it finds nothing to keep; write {EXAMPLE}")
    return pattern


def take_from(database: Database, pattern: Pattern, corpora: Sequence[NewCorpus]) -> None:
    """Add what a pattern finds to the metadata of a draft. Warn of texts that it does not match.

    Raises RefusedFilesError for corpora in which it matches nothing, or whose comments have one of its names too.
    """
    places = {each.id: at for at, each in enumerate(corpora)}
    why: dict[int, CorpusError] = {}
    for corpus, name in database.rows(statement("counting/metadata/said_of_documents")):
        if name in pattern.names:
            why[places[corpus]] = CorpusError(
                f"--meta-from: {name} is in comments (# meta::{name}) of {corpora[places[corpus]].name} too; choose "
                "another name"
            )
    level, texts = TEXTS.get(pattern.source, (pattern.level, OF_COMMENTS[pattern.level]))
    database.set(from_source=pattern.source.removeprefix(OF_DOCUMENT))
    parts = {"pattern": pattern.regex, "groups": [f"g{place}" for place in range(len(pattern.groups))]}
    units = {"texts": statement(texts), "units": statement(UNITS[level])}
    database.run(statement("counting/metadata/matched", **parts, **units))
    what = f"--meta-from {pattern.source}:{pattern.regex}"
    total = missed = 0
    first = ""
    for corpus, units_of_it, missed_of_it, label, text in database.rows(statement("counting/metadata/missed")):
        shown = f"the first, {label}, has {'none' if text is None else repr(text)[:SHOWN_TEXT]}"
        if missed_of_it == units_of_it:
            whose = corpora[places[corpus]].name
            why.setdefault(places[corpus], CorpusError(f"{what} matches no {level} of {whose}; {shown}"))
        first = first or (shown if missed_of_it else "")
        total, missed = total + units_of_it, missed + missed_of_it
    refuse(why)
    if missed:
        called = display_name([each.name for each in corpora])
        warn(f"{what}: {missed:,} of {total:,} {level}s of {called} do not match; {first}", UnusedSetting)
    named = [(name, SqlText(f"part.g{place}")) for place, name in enumerate(pattern.groups) if name]
    values = SqlText(literal([{"name": name, "value": part} for name, part in named]))
    database.run(statement("counting/metadata/add_found", values=values, level=level))


def is_name(name: Any) -> bool:
    """Return whether a kind of metadata, and so a column, can have this name."""
    return isinstance(name, str) and name == name.strip() != "" and name.isprintable() and "=" not in name


def is_unicode(text: str) -> bool:
    """Return whether a text can be stored: arguments of a command may be arbitrary bytes."""
    return not any("\ud800" <= each <= "\udfff" for each in text)
