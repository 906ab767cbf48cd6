"""An overview of a lexicon: settings, sizes, corpora."""

from dataclasses import dataclass
from html import escape

from aptdb.display import SHOWN, how_many, html_note, html_table, on_one_line
from aptdb.errors import AptError
from aptdb.result import Result
from aptdb.store.session import Session
from aptdb.store.statements import statement


def info(session: Session) -> Result:
    """The settings and sizes: rows of property and value, both text."""
    counts = session.counts()
    where = [("counts in", counts.shown())] if counts else []
    settings = [("file", str(session.file)), *where, *session.settings.shown()]
    sizes = session.ask(statement("store/sizes"))
    return Result(sizes.columns, sizes.types, [*settings, *sizes.rows])


def corpora(session: Session) -> Result:
    """The corpora: a row for each, with name, source, sizes, time, version and sha256."""
    return session.ask(statement("store/corpora"))


@dataclass(frozen=True)
class Held:
    """What a lexicon holds: its name, how it counts, its sizes and its corpora; or why they cannot be told."""

    name: str
    settings: list[tuple[str, str]]
    sizes: dict[str, int]
    corpora: Result | None
    why: str = ""

    def line(self) -> str:
        """All of it as a line, the settings that are most asked for alone."""
        name = on_one_line(self.name)
        if self.corpora is None:
            return f"<Lexicon {name}: {self.why}>"
        sizes = ", ".join(how_many(self.sizes[each], each[:-1]) for each in ("tokens", "lexemes"))
        found = how_many(len(self.corpora), "corpus") if len(self.corpora) == 1 else f"{len(self.corpora):,} corpora"
        return f"<Lexicon {name}: {found}, {sizes}; {self.how()}>"

    def html(self) -> str:
        """All of it as tables: sizes, corpora (the first of them), and the settings, folded away."""
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
        """The settings, below those that are most asked for."""
        table = html_table(("setting", "value"), (False, False), self.settings)
        return f"<details><summary>settings: {escape(self.how())}</summary>{table}</details>"

    def how(self) -> str:
        """The settings that are most asked for."""
        settings = dict(self.settings)
        return f"order {settings['order']}, {settings['lexeme']}"


def held(session: Session) -> Held:
    """What a lexicon holds. Never raises: where it cannot be read, it says why."""
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
