"""How often hits of a concordance have each value: of metadata, of tokens beside them, of the slots of a pattern."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.explorer.content import Asked, Asking, Cell, Link, Piece, Table, figure, format_thousands, only_given, shares
from aptdb.explorer.page_settings import FILE_ROWS
from aptdb.explorer.table_tools import FILES
from aptdb.explorer.word_pieces import NONE
from aptdb.questions import concordances
from aptdb.questions.calls import call
from aptdb.questions.concordances import OF_TOKENS, Hits
from aptdb.questions.execute import as_asked
from aptdb.questions.readings import asks_for_matches
from aptdb.store.methods import of_session
from aptdb.store.statements import SqlText, literal, statement

TAKES = (
    "q", "path", "context", "subcorpus", "counts", "sample", "seed", "sort", "by", "at", "value", "page", "rows",
    "view", "show", "where", "against",
)  # fmt: skip
IN_FILE = FILE_ROWS  # lines, or values
ATTRACTED = "collexemes:"  # begins the kind of breakdown that has what a slot attracts
TIME = re.compile(r"([+-]?[0-9]+(?:[.][0-9]+)?)(?:-[0-9]{2}){0,2}")  # a number, or a date
SLOT = re.compile(rf"({ATTRACTED})?(match|[^.():,]+[.][\w.]+)")
DIGITS = {"share": 4, "dp": 3, "g2": 2, "log_odds": 2, "p_value": 4, "q_value": 4, "delta_p_construction": 4,
          "delta_p_word": 4}  # fmt: skip
LEAST_P = 0.0001  # that is written out
IN_WORDS = {"dp": "DP", "arf": "ARF", "g2": "G²", "delta_p_construction": "ΔP construction", "delta_p_word": "ΔP word"}
breakdown, sizes_by = of_session(concordances.breakdown), of_session(concordances.sizes_by)
spread_of_hits = of_session(concordances.spread_of_hits)
asks_for_pattern, read_asked = of_session(asks_for_matches), of_session(as_asked)


@dataclass(frozen=True)
class Wanted:
    """What the address of a concordance asks for.

    by: the kind of values of a breakdown. show: columns of metadata. around: sentences beside each; None: lines.
    """

    hits: Hits
    sort: str
    by: str | None
    show: Sequence[str]
    around: int | None
    page: int
    rows: int


def address(asking: Asking, name: str = "concordance", **changed: str | int | None) -> str:
    """Return the address of the same concordance with something changed; it begins at its first page."""
    given = {**{key: asking.get(key) for key in TAKES}, "page": None, **changed}
    if not str(given["by"] or "").startswith(ATTRACTED):  # nothing else is compared
        given["against"] = None
    return asking.links.page(name, **given)


def link_concordance_files(asking: Asking) -> list[Link]:
    """Return links to the same as files."""
    return [Link(f"as {each.upper()}", address(asking, f"concordance.{each}")) for each in FILES]


def say_rows(wanted: Wanted, shown: int, total: int, what: str = "value") -> str:
    """Return which rows are shown, of how many, and how many of all a file has."""
    first = (wanted.page - 1) * wanted.rows + 1
    in_file = "all" if total <= IN_FILE else f"the first {IN_FILE:,}"
    return f"{first:,} to {first + shown - 1:,} of {how_many(total, what)}; files have {in_file}."


def name_kind(kind: str) -> str:
    """Return the name of a kind of value as it is shown: left1:lemma is the lemma 1 to the left."""
    if found := OF_TOKENS.fullmatch(kind):
        keyword, side, away, attribute = found.groups()
        return f"{attribute} of the keyword" if keyword else f"{attribute} {away} to the {side}"
    if not SLOT.fullmatch(kind):
        return kind
    (slot, _, attribute), is_attracted = kind.removeprefix(ATTRACTED).partition("."), kind.startswith(ATTRACTED)
    place = "the match" if slot == "match" else f"slot {slot}" if slot.isdigit() or is_attracted else slot
    return f"words that {place} attracts (collexemes)" if is_attracted else f"{attribute or 'form'} of {place}"


def order_by_time(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in the order of their values where all are times or numbers, missing ones last; else as they are."""
    found = [*rows]
    times = {row["value"]: TIME.fullmatch(row["value"]) for row in found if row["value"] is not None}
    if None in times.values():
        return found
    return sorted(found, key=lambda row: (float(it[1]), it[0]) if (it := times.get(row["value"])) else (math.inf, ""))


def count_values(asking: Asking, wanted: Wanted, top: int) -> tuple[list[str], list[list[Any]], int]:
    """Return the columns and rows of how many hits have each value of a kind, and the number of all values.

    tokens, per_million: of the value; only where hits are counted among all its tokens.
    """
    by, hits = wanted.by or "", wanted.hits
    of_tokens = OF_TOKENS.fullmatch(by)
    found = [*breakdown(asking.lexicon, hits, by, top)]
    chosen_texts = hits.where or (hits.only and not OF_TOKENS.fullmatch(hits.only[0]) and hits.only[0] != by)
    sizes = {} if of_tokens or chosen_texts or hits.sample else sizes_by(asking.lexicon, by, hits.subcorpus)
    ordered = found if of_tokens else order_by_time(found)
    rows = [[row["value"], row["count"], row["count"] / row["hits"]] for row in ordered]
    if sizes:
        rows = [[*row, sizes[row[0]], row[1] / sizes[row[0]] * 1e6] for row in rows]
    names = [by, "count", "share", *(["tokens", "per_million"] if sizes else [])]
    return names, rows, found[0]["kinds"] if found else 0


def make_breakdown_piece(asking: Asking, wanted: Wanted) -> Piece:
    """Return how many hits have each value of a kind, with links to just these."""
    by, skipped = wanted.by or "", (wanted.page - 1) * wanted.rows
    names, whole, kinds = count_values(asking, wanted, max(IN_FILE, skipped + wanted.rows))
    lengths, rows = shares([row[-1 if "tokens" in names else 1] for row in whole]), []
    for (value, count, share, *more), length in [*zip(whole, lengths, strict=True)][skipped : skipped + wanted.rows]:
        href = "" if value == "" else address(asking, by=None, at=by, value=value)
        text = NONE if value is None else value
        cells = [Cell(text, href), Cell(format_thousands(count), href), Cell(f"{share:.1%}")]
        cells += [Cell(format_thousands(each, 1)) for each in more]
        cells[-1 if more else 1] = replace(cells[-1 if more else 1], share=length)
        rows.append(cells)
    columns = [(name_kind(by), False), ("hits", True), ("share", True)]
    columns += [("tokens of it", True), ("per million", True)] if "tokens" in names else []
    piece = Piece("table", f"Hits by {name_kind(by)}", Table(columns, rows), (), say_spread(asking, wanted))
    return end_breakdown(asking, wanted, piece, kinds)


def end_breakdown(asking: Asking, wanted: Wanted, piece: Piece, total: int) -> Piece:
    """Return a piece of values with a note on which of all are shown, and with links to files and to the hits alone."""
    notes = [*piece.notes, say_rows(wanted, len(piece.content.rows), total)]
    links = [*link_concordance_files(asking), Link("hits alone", address(asking, by=None))]
    return replace(piece, notes=notes, links=links, rows=total)


def say_spread(asking: Asking, wanted: Wanted) -> list[str]:
    """Return over how many documents hits are spread, and how unevenly (Gries' DP), where all hits are counted so."""
    if wanted.by != "document" or wanted.hits.only or wanted.hits.where:
        return []
    text = "In {documents:,} of {texts:,} documents; Gries' DP {dp:.3f} (0 is as even as can be)."
    return [text.format(**row) for row in spread_of_hits(asking.lexicon, wanted.hits) if row["dp"] is not None]


def is_narrowed(hits: Hits) -> bool:
    """Return whether hits are only some of those that `counts_by` counts."""
    return (hits.sample, hits.only, hits.where) != (None, None, None)


def ask_slot(asking: Asking, wanted: Wanted) -> Asked:
    """Return the question for what stands in a slot of a pattern, or what it attracts. Raise QuestionError."""
    hits, by = wanted.hits, wanted.by or ""
    if is_narrowed(hits):
        raise QuestionError(f"{name_kind(by)} is counted in all hits; leave out sample, at, value and where")
    named = (hits.lexeme, hits.path, hits.context)
    in_sql = read_asked(asking.lexicon, *named)[1]
    given = only_given(subcorpus=hits.subcorpus)
    slot = by.removeprefix(ATTRACTED)
    if slot != by:
        other = only_given(against=asking.get("against"))
        against = [read_asked(asking.lexicon, each, None, None)[1] for each in other.values()]
        sql = f"FROM {call('collexemes', [in_sql, slot, *against], given)}"
        return Asked("collexemes", (hits.lexeme, slot), other | given, sql)
    given |= {"dispersion": True} | only_given(counts=None if hits.counts == "direct" else hits.counts)
    sql = f"FROM {call('breakdown', [in_sql, slot, hits.path, hits.context], given)}"
    return Asked("counts_by", named, {"by": slot, **given}, sql)


def make_slot_piece(asking: Asking, wanted: Wanted) -> Piece:
    """Return what stands in a slot of a pattern, with its spread over documents; or what the slot attracts."""
    question, skipped, by = ask_slot(asking, wanted), (wanted.page - 1) * wanted.rows, wanted.by or ""
    found = question.answer(asking.lexicon)
    shown = [*found][skipped : skipped + wanted.rows]
    first, *names = (name for name in found.columns if name != "tokens")
    if "documents" in names and {*found.column("documents")} <= {None, 1}:
        names = [name for name in names if name not in ("documents", "dp")]
    most = {name: max((abs(each or 0) for each in found.column(name)), default=0) or 1.0 for name in names}
    slot, _, attribute = by.removeprefix(ATTRACTED).partition(".")
    cells = []
    for row in shown:
        text = NONE if row[first] is None else str(row[first])
        narrow = narrow_pattern(wanted.hits.lexeme or "", slot, attribute, text)
        cells.append([Cell(text, address(asking, q=narrow, by=None) if narrow else "")])
        for name in names:
            number = row[name]
            bar = abs(number or 0) / most[name] if name in ("count", "log_odds") else None
            own = figure(number, DIGITS.get(name, 1), share=bar)
            if name == "share":
                own = replace(own, text=f"{number:.1%}")
            if name.endswith("_value") and number is not None and number < LEAST_P:
                own = replace(own, text=f"< {LEAST_P}")
            cells[-1].append(replace(own, side="" if name != "log_odds" else "a" if (number or 0) > 0 else "b"))
    columns = [(name_kind(by.removeprefix(ATTRACTED)), False)]
    columns += [(IN_WORDS.get(name, name.replace("_", " ")), True) for name in names]
    heading = name_kind(by)[0].upper() + name_kind(by)[1:]
    heading += f", beside {each}" if (each := asking.get("against")) else ""
    return end_breakdown(asking, wanted, Piece("table", heading, Table(columns, cells), [question]), len(found))


def narrow_pattern(pattern: str, slot: str, attribute: str, value: str) -> str:
    """Return a pattern whose slot has a value; '' for one that cannot be written so by adding to it."""
    test = f'{attribute}="{re.escape(value)}"'.replace("\\ ", " ")
    if not re.fullmatch("[a-z]+", attribute) or '"' in value or value == NONE:
        return ""
    if pattern.startswith("pattern"):
        return re.sub(r"\s*\}", lambda _: f"; {slot} [{test}] }}", pattern, count=1)
    if re.search(rf"(?<!\w){re.escape(slot)}:\[", pattern):
        return re.sub(rf"(?<!\w){re.escape(slot)}:\[", lambda each: f"{each[0]}{test} & ", pattern, count=1)
    simple = re.fullmatch(r"([A-Z]+|\*)(\[[^\[\] ]+ )([A-Z]+|\*)\]", pattern)
    if simple is None or attribute != "lemma" or re.search(r"[\s/*?\[\]{}()|]", value):
        return ""
    return (
        f"{value}/{simple[1]}{simple[2]}{simple[3]}]" if slot == "1" else f"{simple[1]}{simple[2]}{value}/{simple[3]}]"
    )


def list_slots(asking: Asking, hits: Hits) -> list[str]:
    """Return the slots of a pattern, or of a pair, by which hits can be counted, and those that attract words."""
    is_pattern = hits.lexeme is not None and asks_for_pattern(asking.lexicon, hits.lexeme)
    if not is_pattern and hits.path is None and hits.context is None:
        return []
    asked = read_asked(asking.lexicon, hits.lexeme, hits.path, hits.context)[1] if is_pattern else "NULL"
    given = f"{asked}, {literal(hits.path)}, {literal(hits.context)}"
    found = asking.lexicon.sql(statement("explorer/slots", asked=SqlText(given))).column("name")
    slots = [f"{name}.lemma" for name in found] or ["match.lemma"]
    return [*slots, *(f"{ATTRACTED}{each}" for each in slots if is_pattern and each in [f"{n}.lemma" for n in found])]
