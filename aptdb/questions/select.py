"""Tells a SELECT, which can change nothing, from every other statement."""

import json
import re

from aptdb.errors import QuestionError
from aptdb.store.database import Database


def refuse_all_but_select(database: Database, query: str) -> None:
    """Raise QuestionError where a query is not one SELECT, which includes FROM …, DESCRIBE, SHOW and SUMMARIZE.

    DuckDB also calls a SELECT one that writes in a WITH clause; its syntax tree tells.
    """
    text = str(database.value("SELECT json_serialize_sql($query)::VARCHAR", {"query": query}))
    tree = json.loads(text)
    if tree["error"] and tree["error_type"] == "parser":
        raise QuestionError(" ".join(f"Parser Error: {tree['error_message']}".split()))
    writes = re.search(r'"type":"(?!CTE_)\w+_QUERY_NODE"', text)
    if tree["error"] or len(tree["statements"]) != 1 or writes:
        raise QuestionError("aptdb sql takes one SELECT and nothing else; other statements are for DuckDB's own client")
