"""Subcorpora made in the browser: values of metadata with their counts, chosen ones as a condition, kept if allowed."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.counting.condition_parser import parse_number
from aptdb.explorer.breakdown_pieces import TIME, order_by_time
from aptdb.explorer.content import Asking, Cell, Link, Page
from aptdb.explorer.lookups import list_kept_subcorpora, list_metadata_columns, refuse_unknown_value
from aptdb.explorer.page_settings import FILE_ROWS
from aptdb.explorer.word_pieces import NONE
from aptdb.lexicon import Lexicon
from aptdb.questions import concordances
from aptdb.store.methods import of_session
from aptdb.store.statements import identifier, literal

MOST_VALUES = 100  # of a kind; a kind with more is hidden
LISTED = 30  # values of a kind; of more numbers, the first and the last are chosen
PER_VALUE = 2  # documents, at the least, on average; else a kind is hidden
END = re.compile(r"(.+)[.](from|to)", re.DOTALL)  # of numbers, in addresses
MISSING = "∅"  # in addresses: sentences without a value
count_facet, count_chosen = of_session(concordances.count_facet), of_session(concordances.count_chosen)

Chosen = Mapping[str, Sequence[str]]  # values, by kind


# A kind; links that choose or drop its values, with their numbers; or, of many numbers, the first and the last.
Facet = tuple[str, list[tuple[Link, str]], Sequence[str]]


def list_kinds(asking: Asking, unit: str) -> dict[str, Sequence[str]]:
    """Return the kinds of metadata that group documents: not those whose values nearly each document has for itself.

    With each its first and its last value, where they are many numbers or times.
    """
    found: dict[str, Sequence[str]] = {}
    for kind in ["corpus", *list_metadata_columns(asking.lexicon)]:
        rows = [*count_facet(asking.lexicon, kind, None, MOST_VALUES)]
        own = [row[unit] for row in rows if row["value"] is not None]
        if len(own) > LISTED and all(TIME.fullmatch(row["value"] or "0") for row in rows):
            every = order_by_time(count_facet(asking.lexicon, kind, None, FILE_ROWS))
            times = [row["value"] for row in every if row["value"] is not None]
            found[kind] = (times[0], times[-1])
        elif len(rows) > 1 and rows[0]["kinds"] <= MOST_VALUES and sum(own) >= PER_VALUE * len(own):
            found[kind] = ()
    return found


def write_chosen(chosen: Chosen) -> str | None:
    """Return the condition that chosen values are; None without any."""
    parts = []
    for kind, values in sorted(chosen.items(), key=lambda each: END.fullmatch(each[0]) is not None):
        if end := END.fullmatch(kind):
            value = values[-1] if parse_number(values[-1]) is not None else literal(values[-1])
            parts.append(f"{identifier(end[1])} {'>=' if end[2] == 'from' else '<='} {value}")
            continue
        texts = ", ".join(literal(each) for each in values if each != MISSING)
        how = f"IN ({texts})" if len(values) > 1 else f"= {texts}"
        tests = [f"{identifier(kind)} {how}"] if texts else []
        tests += [f"{identifier(kind)} IS NULL"] if MISSING in values else []
        parts.append(tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})")
    return " AND ".join(parts) or None


def find_chosen(where: str) -> Chosen:
    """Return the chosen values of which `write_chosen` made a condition; none for another condition."""
    chosen: dict[str, list[str]] = {}
    for name, values in re.findall(r'"((?:[^"]|"")+)" (?:IS|IN|=) (NULL|[(]?(?:(?:, )?\'(?:[^\']|\'\')*\')+)', where):
        found = re.findall("'((?:[^']|'')*)'", values)
        chosen.setdefault(name.replace('""', '"'), []).extend(each.replace("''", "'") for each in found or [MISSING])
    for name, sign, value in re.findall(r'"((?:[^"]|"")+)" ([<>])= \'?([-+.\d]+)', where):
        chosen[f"{name}.{'from' if sign == '>' else 'to'}"] = [value]
    return chosen if write_chosen(chosen) == where else {}


def link_chosen(chosen: Chosen) -> str:
    """Return the address of the page with these values."""
    named = urlencode([(kind, value) for kind, values in chosen.items() for value in values])
    return f"/subcorpora{'?' if named else ''}{named}"


def make_facet(asking: Asking, kind: str, ends: Sequence[str], chosen: Chosen, unit: str) -> Facet:
    """Return a kind with its values, counted among what the other kinds choose. unit: documents or sentences."""
    if ends:
        return kind, [], ends
    own, others = chosen.get(kind, ()), {name: values for name, values in chosen.items() if name != kind}
    found = count_facet(asking.lexicon, kind, write_chosen(others), MOST_VALUES)
    values = []
    for row in order_by_time(found):
        value = MISSING if row["value"] is None else row["value"]
        kept = [each for each in own if each != value] if value in own else [*own, value]
        href = link_chosen(others | ({kind: kept} if kept else {}))
        link = Link(NONE if value == MISSING else value, href, value in own)
        values.append((link, how_many(row[unit], unit[:-1])))
    return kind, values, ()


def read_chosen(given: Sequence[tuple[str, str]], kinds: Sequence[str]) -> dict[str, list[str]]:
    """Return the values that an address chooses, by kind; year.from and year.to are the ends of those of a year.

    Raises QuestionError for an unknown kind, and for an end that is neither a number nor a date.
    """
    chosen: dict[str, list[str]] = {}
    for kind, value in given:
        end = END.fullmatch(kind)
        refuse_unknown_value("kind of metadata", end[1] if end else kind, kinds)
        if end and value and not TIME.fullmatch(value):
            raise QuestionError(f"{kind} is {value!r:.60}; expected a number or a date")
        if value or not end:  # a form without scripts also sends what is empty
            chosen.setdefault(kind, []).append(value)
    return chosen


def read_form(body: bytes) -> tuple[str, str]:
    """Return the field in a form that was sent, name or delete, and the subcorpus in it. Raise QuestionError."""
    found = parse_qsl(body.decode("utf-8", "replace"))
    for field, _ in found:
        refuse_unknown_value("field", field, ["name", "delete"])
    if len(found) != 1 or not found[0][1].strip():
        raise QuestionError("give the subcorpus a name")
    return found[0][0], found[0][1].strip()


def keep_or_delete(file: Path, field: str, name: str, given: Sequence[tuple[str, str]]) -> str:
    """Keep what an address chooses as a subcorpus of a lexicon, or delete one; return what was done. Raise AptError."""
    with Lexicon.open(file) as lexicon:
        if field == "delete":
            refuse_unknown_value("subcorpus", name, list_kept_subcorpora(lexicon))
            lexicon.stored.forget(name, "subcorpora")
            return f"{name} is deleted; pages have it until they show a new copy of the lexicon, in some seconds."
        where = write_chosen(read_chosen(given, ["corpus", *list_metadata_columns(lexicon)]))
        if where is None:
            raise QuestionError("choose what the subcorpus is to have")
        lexicon.subcorpus(name, where)
    return f"{name} is kept; pages have it as soon as they show a new copy of the lexicon, in some seconds."


def make_subcorpora_page(asking: Asking, given: Sequence[tuple[str, str]], *, may_keep: bool, note: str = "") -> Page:
    """Return the page on which documents are chosen. given: kinds and values of the address. Raise QuestionError."""
    lexicon, links = asking.lexicon, asking.links
    unit = "documents" if count_chosen(lexicon, None)["documents"] > 1 else "sentences"
    kinds = list_kinds(asking, unit)
    chosen = read_chosen(given, ["corpus", *list_metadata_columns(lexicon)])
    where = write_chosen(chosen)
    facts = [Cell(how_many(number, name[:-1])) for name, number in count_chosen(lexicon, where).items() if number]
    groups = [("Of these", [Link("concordance", links.page("concordance", where=where))])] if where else []
    form: dict[str, Any] = {
        "facets": [make_facet(asking, kind, ends, chosen, unit) for kind, ends in kinds.items()],
        "chosen": chosen,
        "subcorpora": [*lexicon.stored.subcorpora()],
        "where": where,
        "may_keep": may_keep,
        "kept": link_chosen(chosen),
        "command": "" if where is None else f"aptdb subcorpus LEXICON NAME --where {shlex.quote(where)}",
    }
    notes = [note] if note else []
    notes += [] if kinds else ["No metadata tell documents apart."]
    return Page("Subcorpora", "Subcorpora", facts, groups, notes=notes, form=form,
                template="subcorpora.html")  # fmt: skip
