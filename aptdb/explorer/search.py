"""What somebody types into the search: the page that it leads to, lexemes that are like it, and how it may go on."""

from typing import Any

from aptdb.core.errors import AptError, warnings_heard
from aptdb.core.phrase import begun, quoted_lexeme, unquoted
from aptdb.explorer.content import Asked, Cell, Page, Piece, Table, number
from aptdb.explorer.links import Links
from aptdb.lexicon import Lexicon
from aptdb.store.statements import statement

MOST = 60  # lexemes that are shown
COMPLETED = 12  # values that completion shows
PATTERN = "*?"


def found_at(lexicon: Lexicon, links: Links, text: str) -> str | None:
    """Return the address of the page that a text means without doubt; None where there is a choice, or nothing."""
    if text in lexicon:
        return links.lexeme(text)
    if text.endswith("]") or len(text.split()) > 1:
        return links.phrase(text)
    if {*text} & {*PATTERN}:
        return None
    same = lexicon.lexemes(text, top=2).column("lexeme")
    if len(same) == 1:
        return links.lexeme(same[0])
    return None if same else as_written(lexicon, links, text)


def as_written(lexicon: Lexicon, links: Links, text: str) -> str | None:
    """Return the page of the lexeme that a text is written for, e.g. Dog or DOG/NOUN; None if others begin with it."""
    if lexicon.lexemes(f"{text}*", top=1).rows:
        return None
    lemma, slash, pos = text.rpartition("/")
    if slash and lexicon.settings.lowercase and f"{lemma.lower()}/{pos}" in lexicon:
        return links.lexeme(f"{lemma.lower()}/{pos}")
    with warnings_heard():  # the page says the same
        return links.lexeme(text) if lexicon.as_lexeme(text) in lexicon else None


def lexemes_like(lexicon: Lexicon, links: Links, text: str) -> Page:
    """Return the lexemes with this lemma, else those that begin so; and what is spelt nearly so."""
    question = Asked("lexemes", (text,), {"top": MOST})
    found, note = question.answer(lexicon), ""
    if not found.rows and not {*text} & {*PATTERN}:
        question = Asked("lexemes", (f"{text}*",), {"top": MOST})
        found = question.answer(lexicon)
        note = nothing_is(lexicon, text)
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"]), is_lexeme=True),
            Cell(number(row["frequency"]), links.evidence(row["lexeme"])),
        )
        for row in found
    ]
    notes = [note] if note else []
    if len(rows) == MOST:
        notes.append(f"These are the {MOST} most frequent; more letters find fewer.")
    if not rows:
        notes.append(f"No lexeme begins with {text!r}." if not {*text} & {*PATTERN} else f"No lexeme is like {text!r}.")
    table = Table((("lexeme", False), ("tokens", True)), rows)
    return Page(text, "Search", pieces=[Piece("table", "Lexemes", table, [question], notes)], query=text)


def nothing_is(lexicon: Lexicon, text: str) -> str:
    """Return what to say of a text that no lexeme is, with what it may have meant."""
    try:
        with warnings_heard():
            lexicon[text]
    except AptError as error:
        return f"{error}."
    return ""


def completed(lexicon: Lexicon, kind: str, text: str) -> list[dict[str, Any]]:
    """Return how a text may go on: each value with what it means.

    Kind: `sql` for names in SQL, else a lexeme or phrase.
    """
    if kind == "sql":
        names = lexicon.sql("SELECT name, kind, meaning FROM aptdb_help ORDER BY name")
        return [{"value": row["name"], "means": f"{row['kind']}: {row['meaning']}"} for row in names]
    at = begun(text)
    if not at.depth:
        return values("", lexemes(lexicon, text), "")
    if at.relation is None:
        named = rows(lexicon, "relations", begin=at.typed)
        return values(at.before, [(f"{name} ", count) for name, count in named], "")
    beginning, head = at.typed.replace('"', ""), unquoted(at.head or "")
    found = rows(lexicon, "contexts", lexeme=head, path=f">{at.relation}", begin=beginning, most=COMPLETED)
    found = found or lexemes(lexicon, beginning)
    return values(at.before, [(quoted_lexeme(name), count) for name, count in found], "]" * at.depth)


def lexemes(lexicon: Lexicon, begin: str) -> list[tuple[Any, ...]]:
    """Return the most frequent lexemes that begin with a text, the most frequent first. Entries have no page."""
    found = rows(lexicon, "lexemes", begin=begin, most=COMPLETED)
    return [(name, frequency) for name, frequency in found if frequency is not None]


def rows(lexicon: Lexicon, name: str, **given: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a statement of completion."""
    return [*lexicon.sql(statement(f"completion/{name}"), given).rows]


def values(before: str, found: list[tuple[Any, ...]], after: str) -> list[dict[str, Any]]:
    """Return values as a browser is told of them."""
    told = [(f"{before}{name}{after}", count) for name, count in found[:COMPLETED]]
    return [{"value": value, "means": number(count) if isinstance(count, int) else ""} for value, count in told]
