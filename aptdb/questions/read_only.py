"""Refuse SQL that does more than read, and find the names that a query uses."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from aptdb.core.errors import QuestionError
from aptdb.store.database import Database
from aptdb.store.lazy_imports import duckdb
from aptdb.store.statements import literal, refuse_no_text


class Piece(NamedTuple):
    """A token of a query: its kind for DuckDB, its text, and its first byte."""

    kind: str
    text: str
    at: int

    def word(self) -> str:
        """Return a keyword or name without quotation marks, in upper case; '' for other tokens."""
        return self.text.upper() if self.kind in {"keyword", "identifier"} and self.text[0] != '"' else ""


def tokens_of_query(query: str) -> list[Piece]:
    """Return the tokens of a query, in order, without comments."""
    refuse_no_text(query)
    whole, found = query.encode(), duckdb.tokenize(query)
    ends = [*(at for at, _ in found), len(whole)][1:]
    pieces = [
        Piece(kind.name, whole[at:end].decode(errors="replace").strip(), at)
        for (at, kind), end in zip(found, ends, strict=True)
    ]
    return [piece for piece in pieces if piece.kind != "comment" and piece.text]


def after(query: str, at: int) -> str:
    """Return the rest of a query from a byte on."""
    return query.encode()[at:].decode()


NAMED = ("table_name", "function_name")  # the keys of names of relations and macros in DuckDB's syntax tree
OWNERS = ("catalog_name", "catalog", "schema_name", "schema")  # the keys of the catalog and schema of such a name
WRITES = re.compile(r'"type":"(?!CTE_)\w+_QUERY_NODE"')  # in a syntax tree: a WITH clause that writes

# A query with PIVOT and no list of values is several statements to DuckDB, and it shows no syntax tree of them. It only
# reads if it begins like a question, and has no word, outside of quotation marks, with which a statement begins that
# writes.
PIVOTS = {"PIVOT", "PIVOT_WIDER"}
SEVERAL = ["MULTI"]  # the kind of such a query
BEGINS = {*PIVOTS, "SELECT", "FROM", "WITH", "UNPIVOT", "DESCRIBE", "DESC", "SUMMARIZE", "SHOW", "VALUES", "TABLE"}
VERBS = {
    "INSERT", "UPDATE", "DELETE", "TRUNCATE", "MERGE", "COPY", "EXPORT", "CREATE", "ALTER", "DROP", "ATTACH",
}  # fmt: skip
OF_EXPLAIN = {"ANALYZE", "FORMAT"}  # how options of EXPLAIN begin, in brackets
FUNCTIONS = {"PRAGMA", "CALL"}  # statements that are functions too

ONE = "aptdb sql runs one SELECT and nothing else"
OTHERWISE = "use DuckDB's own client for it"
INSTEAD = {  # what to do in place of a statement, by its first word
    ("DELETE", "DROP", "TRUNCATE"): "aptdb remove deletes a corpus, aptdb forget what is stored under a name",
    ("INSERT", "UPDATE", "MERGE"): "aptdb add adds text",
    ("CREATE", "ALTER"): f"{OTHERWISE}, in this file or in one to attach (--attach FILE, in Python attach=)",
    ("ATTACH", "USE"): "name files to attach by --attach FILE (in Python attach=)",
    ("COPY", "EXPORT"): "--format writes an answer, aptdb export all weights",
}


@dataclass(frozen=True)
class Query:
    """A checked query: its text, the values of `$name` in it, and the names that it uses."""

    text: str
    values: Mapping[str, Any] | None = None
    names: set[str] = field(default_factory=set)


def refuse_all_but_select(
    database: Database, query: str, values: Mapping[str, Any] | None = None, others: Iterable[str] = ()
) -> Query:
    """Return the checked query. Raise QuestionError if it is not one SELECT.

    FROM …, VALUES, TABLE, PIVOT, UNPIVOT, DESCRIBE, SHOW and SUMMARIZE are allowed too, and EXPLAIN of each. others:
    the attached databases, whose names do not belong to the lexicon.
    """
    text = str(database.value("SELECT json_serialize_sql($query)::VARCHAR", {"query": query}))
    tree = json.loads(text)
    # It also shows SELECTs that write in a WITH clause.
    if not tree["error"] and len(tree["statements"]) == 1 and not WRITES.search(text):
        return Query(query, values, names_in_select(tree, {each.lower() for each in others}))
    pieces = tokens_of_query(query)
    if at := begin_of_explained(pieces):
        inner = refuse_all_but_select(database, after(query, at), values, others)
        return Query(query.encode()[:at].decode() + inner.text, inner.values, inner.names)
    if any(piece.word() in PIVOTS for piece in pieces) and (several := pivoting(database, query, pieces, values)):
        return several
    if tree["error"] and tree["error_type"] == "parser":
        raise QuestionError(" ".join(f"Parser Error: {tree['error_message']}".split()))
    raise QuestionError(f"{ONE}; {why_not(database.kinds(query), pieces)}")


def begin_of_explained(pieces: Sequence[Piece]) -> int:
    """Return the first byte of the query after EXPLAIN; 0 without EXPLAIN."""
    if not pieces or pieces[0].word() != "EXPLAIN":
        return 0
    left = [*pieces[1:]]
    if left and left[0].word() == "ANALYZE":
        left = left[1:]
    if len(left) > 1 and left[0].text == "(" and left[1].word() in OF_EXPLAIN:
        left = left[1 + [*(each.text for each in left), ")"].index(")") :]
    return left[0].at if left else 0


def pivoting(database: Database, query: str, pieces: Sequence[Piece], values: Mapping[str, Any] | None) -> Query | None:
    """Return a query with PIVOT whose columns DuckDB must look up first; None for other queries.

    DuckDB takes no parameters there, so their values are written into its text. Raises QuestionError if it may write.
    """
    text = with_values(query, pieces, values or {})
    begin = next((piece.word() for piece in pieces if piece.text != "("), "")
    if database.kinds(text) != SEVERAL or begin not in BEGINS:
        return None
    # A space that is not ASCII may stand within a piece.
    for verb in (word for piece in pieces for word in re.split(r"\W", piece.word()) if word in VERBS):
        raise QuestionError(f"{ONE}; {verb} stands beside PIVOT; if it is a name, put it in double quotes")
    return Query(text, None, {piece.text.strip("'\"").lower() for piece in pieces})


def with_values(query: str, pieces: Sequence[Piece], values: Mapping[str, Any]) -> str:
    """Return a query with values in place of `$name`. Raise QuestionError if one is missing or unused."""
    named = [name for sign, name in pairwise(pieces) if sign.text == "$" and sign.at + 1 == name.at]
    for wrong in sorted({name.text for name in named} ^ set(values)):
        unused = f"the query has no ${wrong}; leave its value out"
        raise QuestionError(unused if wrong in values else f"${wrong} has no value; give it one: -p {wrong}=VALUE")
    whole = query.encode()
    for name in reversed(named):
        end = name.at + len(name.text.encode())
        whole = whole[: name.at - 1] + f"({literal(values[name.text])})".encode() + whole[end:]
    return whole.decode()


def why_not(kinds: Sequence[str], pieces: Sequence[Piece]) -> str:
    """Return why a query is refused, and what to do."""
    if not kinds:
        return "this has none; begin with, e.g.: FROM lexemes LIMIT 10"
    if len(kinds) > 1:
        return f"these are {len(kinds)} statements; run them one by one"
    if pieces[0].word() in FUNCTIONS:
        return f"in place of {pieces[0].word()}, ask a function, e.g. FROM pragma_table_info('lexemes')"
    if kinds == ["SELECT"]:
        return "the WITH clause of this one writes; use a SELECT in it"
    verb = pieces[0].word()
    instead = next((said for verbs, said in INSTEAD.items() if verb in verbs), OTHERWISE)
    return f"this is {verb or 'another statement'}; {instead}"


def names_in_select(tree: Any, others: set[str]) -> set[str]:
    """Return names of relations and macros in a SELECT, and texts that may be such names, in lower case.

    Names in other databases are left out.
    """
    found: set[str] = set()
    if isinstance(tree, dict):
        if not any(str(tree.get(key)).lower() in others for key in OWNERS):
            found |= {tree[key].lower() for key in NAMED if isinstance(tree.get(key), str)}
        if tree.get("kind") == "STRING" and isinstance(tree.get("text"), str):
            found.add(tree["text"].lower())
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return found.union(*(names_in_select(part, others) for part in parts))
