"""Refuses every statement except SELECT, which cannot change anything, and finds the names in it."""

import json
import re
from typing import Any

from aptdb.errors import QuestionError
from aptdb.store.database import Database

NAMED = ("table_name", "function_name")  # the keys of names of relations and macros in DuckDB's syntax tree


def refuse_all_but_select(database: Database, query: str) -> Any:
    """Raise QuestionError if a query is not one SELECT. FROM …, DESCRIBE, SHOW and SUMMARIZE are allowed too.

    Returns the syntax tree of DuckDB. It also shows SELECTs that write in a WITH clause, which are refused.
    """
    text = str(database.value("SELECT json_serialize_sql($query)::VARCHAR", {"query": query}))
    tree = json.loads(text)
    if tree["error"] and tree["error_type"] == "parser":
        raise QuestionError(" ".join(f"Parser Error: {tree['error_message']}".split()))
    writes = re.search(r'"type":"(?!CTE_)\w+_QUERY_NODE"', text)
    if tree["error"] or len(tree["statements"]) != 1 or writes:
        raise QuestionError("aptdb sql takes one SELECT and nothing else; use DuckDB's own client for other statements")
    return tree


def names_in_select(tree: Any) -> set[str]:
    """The names of relations and macros in a SELECT, and all text in it that may be such a name, in lower case."""
    found: set[str] = set()
    if isinstance(tree, dict):
        found |= {tree[key].lower() for key in NAMED if isinstance(tree.get(key), str)}
        if tree.get("kind") == "STRING" and isinstance(tree.get("text"), str):
            found.add(tree["text"].lower())
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return found.union(*map(names_in_select, parts))
