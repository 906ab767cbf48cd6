"""The macros of a lexicon, written for another database that has the lexicon attached.

DuckDB looks up the names in a macro in the database in use, not in the one that holds the macro. So the macros of an
attached lexicon work after USE alone. Written with the catalog before each table, they work in any database.
"""

import json
import re
from collections import defaultdict
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import on_one_line
from aptdb.store.definitions import ONE, load_definitions
from aptdb.store.session import Session
from aptdb.store.statements import identifier, literal, statement

HEAD = re.compile(r'CREATE OR REPLACE MACRO (_store\.)?"?([a-z_]+)"?\s*(\([^()]*\))? AS( TABLE)?\b')
PRIVATE = "_store."
LONGEST_NAME = 200
# Names of DuckDB's own, which no other database can be attached as.
RESERVED = ("main", "system", "temp", "memory", "_store")


def qualified(session: Session, catalog: str) -> str:
    """Return the macros of a lexicon as a script for a database that has it attached as `catalog`.

    It makes them in a schema in_⟨catalog⟩, and what they are made of in in_⟨catalog⟩_store. They refuse to answer of
    another lexicon, or of this one after it has changed. Raises QuestionError for a name that no catalog can have.
    """
    if not isinstance(catalog, str) or not re.fullmatch(r"[^\W\d]\w*", catalog) or len(catalog) > LONGEST_NAME:
        raise QuestionError(
            f"{on_one_line(repr(catalog)):.80} is not a name for an attached lexicon; expected letters, digits and _"
        )
    if catalog.lower() in RESERVED:
        raise QuestionError(f"{catalog} is a name of DuckDB's or aptdb's own; attach the lexicon as another")
    return "\n".join(Qualifying(session, catalog).script())


class Qualifying:
    """The rewriting of macros, by DuckDB's own reading of them."""

    def __init__(self, session: Session, catalog: str) -> None:
        self._database = session.reading()
        self._catalog = catalog
        self._public, self._private = f"in_{catalog}", f"in_{catalog}_store"
        self._views = {name for (name,) in self._database.rows(statement("store/public_views"))}
        self._bodies: dict[tuple[bool, str, bool], list[str]] = defaultdict(list)
        for private, name, is_table, body in self._database.rows(statement("store/macro_bodies")):
            self._bodies[private, name, is_table].append(body)
        self._macros = {name for private, name, _ in self._bodies if not private}

    def script(self) -> list[str]:
        """Return the statements, in load order."""
        schemas = [f"CREATE SCHEMA IF NOT EXISTS {identifier(name)};" for name in (self._public, self._private)]
        return schemas + [made for each in ONE.findall(load_definitions().text) if (made := self.made(each))]

    def made(self, definition: str) -> str:
        """Return a definition of a macro for the other database; '' for a definition of anything else."""
        found = HEAD.search(definition)
        if found is None:
            return ""
        private, name, parameters, is_table = bool(found[1]), found[2], found[3], bool(found[4])
        called = f"{identifier(self._private if private else self._public)}.{identifier(name)}"
        bodies = self._bodies[private, name, is_table]
        if len(bodies) > 1:  # one for each type of its argument; none of these names anything
            return f"CREATE OR REPLACE MACRO {called}{definition[found.start(3) :].rstrip()};"
        if (private, name) == (True, "admitted"):
            body = self.admitted()
        elif is_table:
            body = f"TABLE ({self.rewritten(bodies[0])})"
        else:
            body = f"({self.rewritten(f'SELECT {bodies[0]}').removeprefix('SELECT ')})"
        defaults = parameters.replace(f"'{PRIVATE}", f"'{self._catalog}.{PRIVATE}")
        return f"CREATE OR REPLACE MACRO {called}{defaults} AS {body};"

    def admitted(self) -> str:
        """Return the check that the attached lexicon is the one that the macros were written for, and all others."""
        refusal = (
            f"{self._catalog} is another lexicon than these functions were made for, or has changed since; make them "
            f"again with: aptdb sql LEXICON --definitions --as {self._catalog}"
        )
        check = f"bool_and(CASE WHEN settings.stamp = own_stamp THEN fine ELSE error({literal(refusal)}) END)"
        return f"({self.rewritten(f'SELECT {check} FROM _store.settings')})"  # noqa: S608 (all of it is ours)

    def rewritten(self, query: str) -> str:
        """Return a query that has its names qualified."""
        tree = json.loads(self._database.value(statement("store/tree_of_query"), {"query": query}))
        self.qualify(tree)
        return str(self._database.value(statement("store/query_of_tree"), {"tree": json.dumps(tree)}))

    def qualify(self, node: Any, *, names_tables: bool = False) -> None:
        """Qualify the names of functions and tables in a node of a query's tree and below.

        names_tables: whether text in it names tables, since it is an argument of query_table.
        """
        if isinstance(node, list):
            for each in node:
                self.qualify(each, names_tables=names_tables)
        if not isinstance(node, dict):
            return
        is_function = "function_name" in node
        if "qualified_name" in node:
            path = node["qualified_name"]["path"] = self.place(node["qualified_name"]["path"], is_function)
            node |= {"schema": path[-2]} if is_function and len(path) > 1 else {}
        names_tables |= is_function and node["function_name"] == "query_table"
        constant = node.get("literal")
        if isinstance(constant, dict) and constant.get("kind") == "STRING":
            text = constant["text"]
            if names_tables or text.startswith(PRIVATE):
                constant["text"] = ".".join(self.place(text.split("."), False))
        for each in node.values():
            self.qualify(each, names_tables=names_tables)

    def place(self, path: list[str], is_function: bool) -> list[str]:
        """Return the path of a name: its catalog and schema, as far as it has them, and itself."""
        if f"{path[0]}." == PRIVATE:
            return [self._private, path[1]] if is_function else [self._catalog, *path]
        if len(path) == 1 and path[0] in (self._macros if is_function else self._views):
            return [self._public, path[0]] if is_function else [self._catalog, "main", path[0]]
        return path
