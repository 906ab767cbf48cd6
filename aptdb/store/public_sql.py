"""What is public in SQL, and what is said of it: the comments on relations, columns and macros, and `aptdb_help`.

What a row is stands above each definition in `sql/`, with an example. What a column is stands here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from aptdb.store.sql_text import identifier, literal

# A definition in the schema main, with the comment right above it.
DEFINED = re.compile(
    r"((?:^--[^\n]*\n)+)CREATE OR REPLACE (VIEW|MACRO) ([a-z_]+)\s*(?:\(([^()]*)\))? AS( TABLE)?\b", re.MULTILINE
)
EXAMPLE = "Example: "

# What a column is, by its name; where that is not enough, by its relation.
COLUMNS = {
    "added_at": "when it was added (UTC)",
    "composition": "how it was composed",
    "condition": "which sentences it has",
    "context": "the lexeme at the end of the path",
    "corpus": "the name of the corpus",
    "count": "how often",
    "counted_at": "when it was counted (UTC)",
    "dataset": "the file of judgements",
    "dependent": "the lexeme that hangs from the head",
    "document": "the document, as its file names it",
    "empty": "how many items score 0 because a vector is empty",
    "entry": "the name of the entry",
    "evaluated_at": "when it was evaluated (UTC)",
    "feats": "FEATS as the file has them, _ for none",
    "first_step": "its first relation and direction",
    "form": "the word as it is written",
    "frequency": "the number of its tokens",
    "head": "the position of the head in the sentence, 0 for a root",
    "high": "the upper end of the 95 % interval of rho",
    "inverse": "the same path walked the other way",
    "items": "how many items were scored",
    "kind": "trees, or counts without trees",
    "last_step": "its last relation and direction",
    "lemma": "the lemma",
    "lexeme": "the lexeme, e.g. dog/NOUN",
    "low": "the lower end of the 95 % interval of rho",
    "merge": "the merge rule",
    "method": "how ratings are compared: all, mean or per-participant",
    "missing": "how many items lack a word",
    "name": "the name",
    "parameters": "the parameters that are not left at their defaults",
    "subcorpus": "the name of the subcorpus",
    "path": "the path, '' for ε",
    "path_order": "the number of its steps",
    "phi": "the weight of paths in vectors",
    "phrase": "the phrase it was composed of",
    "pos": "the part of speech",
    "position": "the place in the sentence, from 1",
    "relation": "the relation to the head",
    "rho": "Spearman's ρ between model and people",
    "scheme": "the scheme",
    "sent_id": "what the file calls the sentence",
    "sentence": "the number of the sentence in this lexicon",
    "sentences": "the number of its sentences",
    "setting": "the name of the setting",
    "sha256": "the SHA-256 of its unpacked bytes",
    "skipped": "how many sentences were left out",
    "source": "the file that it came from",
    "space_after": "whether a space follows",
    "state": "whether it is up to date",
    "text": "the sentence as it was written",
    "tokens": "the number of its tokens",
    "undefined": "why rho is undefined, if it is",
    "upos": "UPOS, the universal part of speech",
    "value": "its value, as text",
    "meaning": "what a row of it is, or its value",
    "example": "a SELECT that runs",
    "version": "the version of aptdb that made it",
    "weight": "the weight",
    "weighting": "the scheme and parameters that it was composed under",
    "weights": "the weights, by their name",
    "xpos": "XPOS, the language's own part of speech",
}
IN_RELATION = {
    ("arcs", "head"): "the lexeme that it hangs from",
    ("arcs", "relation"): "the relation as it is counted",
    ("entries", "weights"): "the number of its weights",
    ("aptdb_help", "kind"): "view, table function or function",
    ("aptdb_help", "name"): "what it is called",
    ("aptdb_help", "parameters"): "what it takes, with defaults",
    ("evaluations", "tokens"): "the size of the lexicon when it was evaluated, in tokens",
    ("evaluations", "part"): "the part of the data set",
    ("lexemes", "lexeme"): "its text, e.g. dog/NOUN",
    ("tokens", "lexeme"): "the lexeme it is counted as, NULL where it is left out",
    ("weightings", "weights"): "how many weights are kept, NULL where none are",
}


# The columns of views that metadata follows, before it.
BEFORE_METADATA = {
    "documents": ("corpus", "document"),
    "sentences": ("corpus", "document", "sentence", "sent_id", "text", "tokens"),
}


@dataclass(frozen=True)
class Public:
    """A relation or macro that everybody may use.

    kind: view, table function or function. parameters: those of a macro, with their defaults, as SQL has them.
    """

    name: str
    kind: str
    parameters: str
    meaning: str
    example: str

    @cached_property
    def comment(self) -> str:
        """What is said of it, with an example."""
        return f"{self.meaning}\n{EXAMPLE}{self.example}"

    def row(self) -> str:
        """Return what `aptdb_help` says of it."""
        named = {name: getattr(self, name) for name in ("name", "kind", "parameters", "meaning", "example")}
        return "{" + ", ".join(f"{literal(name)}: {literal(value)}" for name, value in named.items()) + "}"

    def statement(self) -> str:
        """Return the statement that puts the comment where DuckDB's clients show it."""
        kind = {"view": "VIEW", "table function": "MACRO TABLE", "function": "MACRO"}[self.kind]
        return f"COMMENT ON {kind} {self.name} IS {literal(self.comment)}"


def public_in(text: str) -> list[Public]:
    """Return what a text of definitions makes that is public, in order.

    Raises ValueError for one without an example.
    """
    found = []
    for comment, kind, name, parameters, is_table in DEFINED.findall(text):
        said = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
        meaning, sign, example = said.partition(EXAMPLE)
        if not sign:
            raise ValueError(f"{name} has no example above it")
        called = "view" if kind == "VIEW" else "table function" if is_table else "function"
        one_line = " ".join(parameters.split())
        found.append(Public(name, called, one_line, meaning.strip(), example.strip()))
    return found


def comments_on(relation: str, columns: Iterable[str]) -> list[str]:
    """Return the statements that put comments on the columns of a view; those of metadata have none."""
    return [
        f"COMMENT ON COLUMN {relation}.{identifier(column)} IS {literal(said)}"
        for column in columns
        if column in BEFORE_METADATA.get(relation, (column,))
        and (said := IN_RELATION.get((relation, column), COLUMNS.get(column)))
    ]
