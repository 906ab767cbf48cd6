"""Tells a SELECT, which can change nothing, from every other statement, and what it names."""

import json
import re
from typing import Any

from aptdb.errors import QuestionError
from aptdb.store.database import Database

NAMED = ("table_name", "function_name")  # the keys under which DuckDB's syntax tree has names of relations and macros


def refuse_all_but_select(database: Database, query: str) -> Any:
    """Raise QuestionError where a query is not one SELECT, which includes FROM …, DESCRIBE, SHOW and SUMMARIZE.

    DuckDB also calls a SELECT one that writes in a WITH clause; its syntax tree, which is returned, tells.
    """
    text = str(database.value("SELECT json_serialize_sql($query)::VARCHAR", {"query": query}))
    tree = json.loads(text)
    if tree["error"] and tree["error_type"] == "parser":
        raise QuestionError(" ".join(f"Parser Error: {tree['error_message']}".split()))
    writes = re.search(r'"type":"(?!CTE_)\w+_QUERY_NODE"', text)
    if tree["error"] or len(tree["statements"]) != 1 or writes:
        raise QuestionError("aptdb sql takes one SELECT and nothing else; other statements are for DuckDB's own client")
    return tree


def names_in_select(tree: Any) -> set[str]:
    """The relations and macros that a SELECT names, and all text in it that may name one, in lower case."""
    found: set[str] = set()
    if isinstance(tree, dict):
        found |= {tree[key].lower() for key in NAMED if isinstance(tree.get(key), str)}
        if tree.get("kind") == "STRING" and isinstance(tree.get("text"), str):
            found.add(tree["text"].lower())
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return found.union(*map(names_in_select, parts))
