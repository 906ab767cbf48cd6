"""The contents of a lexicon: lexemes by pattern and frequency, settings, sizes and corpora."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Unpack

from aptdb.core.count_parameters import Lexemes
from aptdb.core.display import SHOWN, how_many, html_note, html_table
from aptdb.core.errors import AptError, NoMatchWarning, NoSuchLexemeError, QuestionError, warn
from aptdb.core.one_line import on_one_line
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.counting.patterns import why_no_regex
from aptdb.questions.calls import call
from aptdb.store.session import Session
from aptdb.store.statements import statement


@dataclass(frozen=True)
class Known:
    """A lexeme of a lexicon: lemma, part of speech, and number of tokens."""

    lexeme: str
    lemma: str
    pos: str | None
    frequency: int


def find_lexeme(session: Session, lexeme: object) -> Known | None:
    """Return a lexeme with its frequency; None if the lexicon lacks it, or if it is not text."""
    if not isinstance(lexeme, str) or session.is_empty():
        return None
    for row in session.reading().rows(statement("questions/lexeme"), {"lexeme": lexeme}):
        return Known(*row)
    return None


def known_or_refused(session: Session, lexeme: object) -> Known:
    """Return a lexeme with its frequency. Raise NoSuchLexemeError, which suggests similar ones."""
    found = find_lexeme(session, lexeme)
    if found is not None:
        return found
    if not isinstance(lexeme, str):
        raise NoSuchLexemeError(f"{lexeme!r:.60} is not a lexeme; a lexeme is text, e.g. 'dog/NOUN'")
    if session.is_empty():
        raise NoSuchLexemeError(f"no lexeme {lexeme}; {session.file} is empty, add a corpus first")
    if lexeme.endswith("]"):
        raise NoSuchLexemeError(f"{lexeme} is a phrase, not a lexeme; ask about it with .neighbours, .apt or .compose")
    near = session.reading().value(statement("questions/near_lexemes"), {"lexeme": lexeme})
    there = f"; did you mean {near}?" if near else ", and none that is spelt like it"
    raise NoSuchLexemeError(f"no lexeme {lexeme or repr(lexeme)}{there}")


def count_lexemes(session: Session) -> int:
    """Return the number of lexemes."""
    return 0 if session.is_empty() else int(session.reading().value(statement("questions/number_of_lexemes")))


def by_frequency(session: Session) -> Iterator[str]:
    """Yield the lexemes, the most frequent first; ties by text."""
    rows = [] if session.is_empty() else session.reading().rows(statement("questions/lexemes_by_frequency"))
    return (lexeme for (lexeme,) in rows)


def info(session: Session) -> Result:
    """Return the settings and sizes: rows of property and value, both text."""
    counts = session.counts()
    where = [("counts in", counts.shown())] if counts else []
    settings = [("file", str(session.file)), *where, *session.settings.shown()]
    sizes = session.ask(statement("store/sizes"))
    return Result(sizes.columns, sizes.types, [*settings, *sizes.rows, *direct_counts(session)])


def direct_counts(session: Session) -> list[tuple[str, str]]:
    """Return how much packing adds to the counts of the most frequent relations, as rows of property and value."""
    ((lacking,),) = session.ask(statement("store/without_direct")).rows
    if lacking:
        return [("direct counts", f"not known of {lacking}")]
    return [
        (f"direct {relation}", f"{direct:,}; packed {count:,} (+{count / direct - 1:.0%})" if direct else "0")
        for relation, direct, count in session.ask(statement("store/merged_relations")).rows
    ]


def corpora(session: Session) -> Result:
    """Return the corpora: a row each, with name, source, sizes, time, version and sha256."""
    return session.ask(statement("store/corpora"))


@dataclass(frozen=True)
class Held:
    """The contents of a lexicon: its name, settings, sizes and corpora; or why they cannot be read."""

    name: str
    settings: list[tuple[str, str]]
    sizes: dict[str, int]
    corpora: Result | None
    why: str = ""

    def line(self) -> str:
        """Return the contents on one line, with the main settings."""
        name = on_one_line(self.name)
        if self.corpora is None:
            return f"<Lexicon {name}: {self.why}>"
        sizes = ", ".join(how_many(self.sizes[each], each[:-1]) for each in ("tokens", "lexemes"))
        found = how_many(len(self.corpora), "corpus") if len(self.corpora) == 1 else f"{len(self.corpora):,} corpora"
        return f"<Lexicon {name}: {found}, {sizes}; {self.how()}>"

    def html(self) -> str:
        """Return the contents as tables: sizes, the first corpora, and the settings, folded."""
        head = f"<div><b>{escape(on_one_line(self.name))}</b></div>"
        if self.corpora is None:
            return f"{head}\n{html_note(self.why)}\n{self.folded_settings()}"
        sizes = [(each, f"{size:,}") for each, size in self.sizes.items()]
        shown = [
            (on_one_line(name), f"{sentences:,}", f"{tokens:,}")
            for name, sentences, tokens in self.corpora.rows[:SHOWN]
        ]
        more = len(self.corpora) - len(shown)
        tables = [
            html_table(("holds", "number"), (False, True), sizes),
            html_table(("corpus", "sentences", "tokens"), (False, True, True), shown)
            + (html_note(f"{more:,} more of {len(self.corpora):,} corpora") if more else ""),
        ]
        blocks = "".join(f'<div style="margin-right:2.5em">{table}</div>' for table in tables)
        flow = "display:flex;flex-wrap:wrap;align-items:flex-start"
        return f'{head}\n<div style="{flow}">{blocks}</div>\n{self.folded_settings()}'

    def folded_settings(self) -> str:
        """Return the settings, folded below the main ones."""
        table = html_table(("setting", "value"), (False, False), self.settings)
        return f"<details><summary>settings: {escape(self.how())}</summary>{table}</details>"

    def how(self) -> str:
        """Return the main settings."""
        settings = dict(self.settings)
        return f"order {settings['order']}, {settings['lexeme']}"


def held(session: Session) -> Held:
    """Return the contents of a lexicon. Never raises: if it cannot be read, the result says why."""
    name, settings = session.file.name, session.settings.shown()
    try:
        if session.is_empty():
            return Held(name, settings, {}, None, "empty")
        sizes = {each: int(value) for each, value in session.ask(statement("store/sizes")).rows}
        every = corpora(session)
    except AptError as error:
        return Held(name, settings, {}, None, "closed" if session.is_closed() else str(error))
    rows = list(zip(*(every.column(each) for each in ("name", "sentences", "tokens")), strict=True))
    return Held(name, settings, sizes, Result(("corpus", "sentences", "tokens"), ("VARCHAR", "BIGINT", "BIGINT"), rows))


def lexemes(
    session: Session, pattern: str | None = None, subcorpus: str | None = None, **parameters: Unpack[Lexemes]
) -> Result:
    """Return the lexemes that match a pattern: rows of lexeme, lemma, pos, frequency, the most frequent first.

    pattern: the lexeme or its lemma, with * for any characters and ? for one, or form:dogs for those that are written
    so; with regex, a regular expression (RE2) that matches the whole of either; None for all. subcorpus: the name of a
    subcorpus. A warning says if there is none. Raises QuestionError, also for a part of speech that no lexeme has.
    """
    if not isinstance(pattern, str | None):
        raise QuestionError(f"the pattern is {pattern!r:.60}; expected text, such as 'dog*'")
    given = {"subcorpus": subcorpus, "pattern": pattern, **parameters}
    try:
        found = session.ask(f"FROM {call('lexemes', [], given)}")
    except QuestionError as error:
        if parameters.get("regex") and (wrong := why_no_regex(session.reading(), str(pattern))):
            raise QuestionError(f"{pattern!r} is not a regular expression: {wrong}") from error
        raise
    if not found.rows and parameters.get("top") != 0:
        what = "no lexeme" if pattern is None else f"no lexeme or lemma matches {pattern!r}"
        if pattern is not None and pattern.startswith("form:") and not parameters.get("regex"):
            what = f"no form is {pattern[5:]}"
        hint = f"{lacks_capitals(session, pattern)}{suggest_form(session, pattern, subcorpus)}"
        warn(f"{what}{restrictions(given)}{hint}", NoMatchWarning)
    return found


def suggest_form(session: Session, pattern: str | None, subcorpus: str | None) -> str:
    """Return a note on a pattern that is a form of some lexemes; else ''."""
    if pattern is None or pattern.startswith("form:"):
        return ""
    given = {"subcorpus": subcorpus, "pattern": f"form:{pattern}", "top": 3}
    named = [lexeme for lexeme, *_ in session.ask(f"FROM {call('lexemes', [], given)}").rows]
    return f"; form:{pattern} finds {', '.join(named)}" if named else ""


def lacks_capitals(session: Session, pattern: str | None) -> str:
    """Return a note on a pattern with capitals if the lexicon is in lower case; else ''."""
    lemma = re.sub("/[^/]*$", "", pattern or "")
    return "; words are in lower case here" if session.settings.lowercase and lemma != lower_letters(lemma) else ""


def restrictions(parameters: Mapping[str, Any]) -> str:
    """Return the restrictions of a question about lexemes, in brackets; '' if there are none."""
    given = {name: parameters.get(name) for name in ("pos", "min_frequency", "subcorpus")}
    named = [f"{name} {value}" for name, value in given.items() if value is not None]
    return f" ({', '.join(named)})" if named else ""
