"""The macros and views that live in every lexicon, in load order."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from aptdb.core.parameters import declared, find_plain_type
from aptdb.core.schemes import SCHEMES, OfPmi, OfWeighting
from aptdb.store import user_cache
from aptdb.store.parameter_help import list_parameter_rows
from aptdb.store.placeholders import OPTIONS, RECORDED, TYPES, list_placeholders
from aptdb.store.statements import PLACEHOLDER, SqlText, Statement, identifier, literal, read_text, resource

# A definition in the schema main, with the comment right above it.
DEFINED = re.compile(
    r"((?:^--[^\n]*\n)+)CREATE OR REPLACE (VIEW|MACRO) ([a-z_]+)\s*(?:\(([^()]*)\))? AS( TABLE)?\b", re.MULTILINE
)
EXAMPLE = "Example: "
RESULT = "Columns: "

# What a column is, by its name; where that is not enough, by its relation.
COLUMNS = {
    "added_at": "when it was added (UTC)",
    "composition": "how it was composed",
    "condition": "which sentences it has",
    "context": "the lexeme at the end of the path",
    "corpus": "the name of the corpus",
    "count": "how often, packed: with merged nodes, so that arcs are fewer; direct is without these",
    "counted_at": "when it was counted (UTC)",
    "dataset": "the file of judgements",
    "direct": "how often the path is that of the trees themselves, without merged nodes; NULL where that is not known",
    "dependent": "the lexeme that hangs from the head",
    "deps": "DEPS, the enhanced dependencies, as the file has them",
    "dimensions": "the number of dimensions",
    "document": "the document, as its file names it",
    "empty": "how many items score 0 because a vector is empty",
    "entry": "the name of the entry",
    "evaluated_at": "when it was evaluated (UTC)",
    "feats": "FEATS as the file has them, _ for none",
    "first_step": "its first relation and direction",
    "form": "the word form",
    "frequency": "the number of its tokens",
    "has_direct": "whether its direct counts are known",
    "has_misc": "whether MISC and DEPS of its tokens are stored",
    "head": "the position of the head in the sentence, 0 for a root",
    "high": "the upper end of the 95 % interval of rho",
    "inverse": "the same path walked the other way",
    "items": "how many items were scored",
    "kind": "trees, or counts without trees",
    "last_step": "its last relation and direction",
    "least_frequency": "the fewest tokens of a lexeme that has a vector",
    "window_share": "how much the window counts in a similarity, beside the trees",
    "window_tokens": "how near words are that a vector has beside those along paths; 0 for none",
    "lemma": "the lemma",
    "lexeme": "the lexeme, e.g. dog/NOUN",
    "low": "the lower end of the 95 % interval of rho",
    "merge": "the merge rule",
    "method": "how ratings are compared: all, mean or per-participant",
    "misc": "MISC as the file has it, without SpaceAfter=No",
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
    "power": "the power of the singular values",
    "reduced_at": "when it was made (UTC)",
    "relation": "the relation to the head",
    "rho": "Spearman's ρ between model and people",
    "scheme": "the scheme",
    "seed": "the seed of the decomposition",
    "sense": "the number of the sense, from 1",
    "sensed_at": "when the senses were found (UTC)",
    "sent_id": "the name of the sentence in its file",
    "sentence": "the number of the sentence in this lexicon",
    "sentence_number": "the number of the sentence in this lexicon, as in evidence",
    "sentences": "the number of its sentences",
    "setting": "the name of the setting",
    "share": "their share of all occurrences of the lexeme; NULL when stale",
    "sha256": "the SHA-256 of its unpacked bytes",
    "skipped": "how many sentences were left out",
    "source": "the file that it came from",
    "space": "the name of the space",
    "space_after": "whether a space follows",
    "state": "whether it is up to date",
    "text": "the sentence as it was written",
    "tokens": "the number of its tokens",
    "undefined": "why rho is undefined, if it is",
    "upos": "UPOS, the universal part of speech",
    "value": "its value, as text",
    "meaning": "what a row of it is, or its value",
    "example": "a SELECT that runs",
    "vector": "its vector, of length 1",
    "vectors": "how many lexemes have a vector",
    "version": "the version of aptdb that made it",
    "weight": "the weight",
    "weighting": "the scheme and parameters that it was composed with",
    "weights": "the weights, by their name",
    "xpos": "XPOS, the language's own part of speech",
}
IN_RELATION: dict[tuple[str, str], str] = {
    ("arcs", "count"): "how many such arcs the trees have",
    ("arcs", "head"): "the lexeme of its head",
    ("arcs", "relation"): "the relation, as in paths",
    ("entries", "weights"): "the number of its weights",
    ("aptdb_help", "columns"): "the columns of a row and their types, '' for a function",
    ("aptdb_help", "kind"): "view, table function or function",
    ("aptdb_help", "name"): "its name",
    ("aptdb_help", "parameters"): "what it takes, with defaults",
    ("aptdb_parameters", "function"): "the function; notation for how something is written in all of them",
    ("aptdb_parameters", "parameter"): "its name",
    ("aptdb_parameters", "meaning"): "what it does",
    ("aptdb_parameters", "accepts"): "the values that it takes",
    ("aptdb_parameters", "default_value"): "its default",
    ("aptdb_parameters", "if_null"): "the meaning of NULL",
    ("evaluations", "tokens"): "the size of the lexicon when it was evaluated, in tokens",
    ("evaluations", "part"): "the part of the data set",
    ("lexemes", "lexeme"): "its text, e.g. dog/NOUN",
    ("lexemes", "lemma"): "the lemma, in lower case unless the lexicon keeps capitals",
    ("tokens", "lemma"): "the lemma as in the file, with its capitals; lexemes.lemma is that of the lexeme",
    ("tokens", "lexeme"): "the lexeme it is counted as, NULL if it is left out",
    ("senses", "entry"): "the entry that is its APT",
    ("senses", "occurrences"): "how many occurrences are of it",
    ("sense_occurrences", "similarity"): "the cosine with the centre of the sense",
    ("spaces", "features"): "how many features have a projection",
    ("spaces", "lexemes"): "how many lexemes were decomposed",
    ("spaces", "max_order"): "the most steps of a path",
    ("spaces", "min_frequency"): "the fewest tokens of a lexeme that was decomposed",
    ("spaces", "min_feature_count"): "the fewest counts of a feature",
    ("spaces", "pos"): "the parts of speech of lexemes and contexts",
    ("spaces", "shift"): "the shift of ppmi",
    ("weightings", "weights"): "how many weights are kept, NULL where none are",
    **{(scheme, "weight"): "the weight, of packed counts" for scheme in SCHEMES},
}


# The columns of views that metadata follows, before it.
BEFORE_METADATA = {
    "documents": ("corpus", "document"),
    "sentences": ("corpus", "document", "sentence", "sent_id", "text", "tokens", "sentence_number"),
}


@dataclass(frozen=True)
class Public:
    """A public relation or macro.

    kind: view, table function or function. parameters: those of a macro, with their defaults, as in SQL. columns: those
    of a row, with their types; '' for a function.
    """

    name: str
    kind: str
    parameters: str
    columns: str
    meaning: str
    example: str

    @cached_property
    def comment(self) -> str:
        """Return the comment of the object, with its example."""
        columns = f"{RESULT}{self.columns}\n" if self.columns else ""
        return f"{self.meaning}\n{columns}{EXAMPLE}{self.example}"

    def row(self) -> str:
        """Return the row of `aptdb_help` for the object."""
        named = {name: getattr(self, name) for name in ("name", "kind", "parameters", "columns", "meaning", "example")}
        return "{" + ", ".join(f"{literal(name)}: {literal(value)}" for name, value in named.items()) + "}"

    def statement(self) -> str:
        """Return the statement that puts the comment into the catalog, where DuckDB's clients show it."""
        kind = {"view": "VIEW", "table function": "MACRO TABLE", "function": "MACRO"}[self.kind]
        return f"COMMENT ON {kind} {self.name} IS {literal(self.comment)}"


def public_in(text: str) -> list[Public]:
    """Return the public objects that a script of definitions makes, in order.

    Raises ValueError for one without an example.
    """
    found = []
    for comment, kind, name, parameters, is_table in DEFINED.findall(text):
        text = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
        meaning, sign, example = text.partition(EXAMPLE)
        if not sign:
            raise ValueError(f"{name} has no example above it")
        meaning, _, columns = meaning.partition(RESULT)
        called = "view" if kind == "VIEW" else "table function" if is_table else "function"
        one_line = " ".join(parameters.split())
        taken = parameters_taken(name, one_line)
        found.append(Public(name, called, taken, columns.strip(), meaning.strip(), example.strip()))
    return found


def parameters_taken(name: str, parameters: str) -> str:
    """Return the parameters of a macro, for a scheme that is not made of PMI without those of PMI, which it refuses."""
    if all(name != scheme or each.of_pmi for scheme, each in SCHEMES.items()):
        return parameters
    taken = [each for each in parameters.split(", ") if each.partition(" ")[0] not in declared(OfPmi)]
    return ", ".join(taken)


def comments_on(relation: str, columns: Iterable[str]) -> list[str]:
    """Return the statements that comment the columns of a view; columns of metadata have no comments."""
    return [
        f"COMMENT ON COLUMN {relation}.{identifier(column)} IS {literal(comment)}"
        for column in columns
        if column in BEFORE_METADATA.get(relation, (column,))
        and (comment := IN_RELATION.get((relation, column), COLUMNS.get(column)))
    ]


HELP = "store/define/help"  # what the other definitions say of themselves

# The one load order: a macro's names are checked when it is created, so each file stands on those before it.
DEFINITIONS = (
    "store/define/path_steps",
    "store/define/path_functions",
    "store/define/guard",
    "store/define/derived",
    "store/define/subcorpus_id",
    "store/define/space_facts",
    "store/define/of_subcorpus",
    "store/define/subcorpora",
    "store/define/counts",
    "store/define/treebank",
    "store/define/nodes",
    "store/define/metadata",
    "questions/define/options",
    "questions/define/option",
    "questions/define/option_checks",
    "questions/define/lexemes",
    "questions/define/log_likelihood",
    "questions/define/entries",
    "questions/define/scheme_weights",
    "questions/define/weights_of",
    "questions/define/schemes",
    "questions/define/scheme",
    "questions/define/scheme_view",
    "questions/define/untyped",
    "questions/define/weightings",
    "questions/define/phrase",
    "questions/define/questions",
    "questions/define/about",
    "questions/define/relations",
    "questions/define/composition",
    "questions/define/measures",
    "questions/define/dimensions",
    "questions/define/candidates",
    "questions/define/ranking",
    "questions/define/smoothing",
    "questions/define/offsets",
    "questions/define/merge_rules",
    "questions/define/moved_apts",
    "questions/define/merged_apt",
    "questions/define/composed",
    "questions/define/apt",
    "questions/define/vectors",
    "questions/define/spaces",
    "questions/define/similarity",
    "questions/define/neighbours",
    "questions/define/most_similar",
    "questions/define/products",
    "questions/define/contextualise",
    "questions/define/plausible",
    "questions/define/explain",
    "questions/define/substitutes",
    "questions/define/entails",
    "questions/define/diff",
    "questions/define/keyness",
    "questions/define/grouping",
    "questions/define/trend_statistics",
    "questions/define/concordance",
    "questions/define/asked_senses",
    "questions/define/asked",
    "questions/define/patterns",
    "questions/define/pattern_tokens",
    "questions/define/tree_matches",
    "questions/define/stretches",
    "questions/define/sequences",
    "questions/define/matches",
    "questions/define/occurrences",
    "questions/define/observed",
    "questions/define/relation_words",
    "questions/define/frames",
    "questions/define/sketch",
    "questions/define/evidence",
    "questions/define/senses",
    "questions/define/sketch_diff",
    "questions/define/counts_by",
    "questions/define/dispersion",
    "questions/define/key_items",
    "questions/define/key_phrases",
    "questions/define/breakdown",
    "questions/define/collexemes",
    "questions/define/key_matches",
    "evaluation/define/evaluations",
    HELP,
)

PRIVATE = re.compile(r'CREATE OR REPLACE (MACRO|VIEW) _store\."?([a-z_]+)"?(?:\([^()]*\))? AS( TABLE)?\b')

SCALAR = re.compile(r"CREATE OR REPLACE MACRO \S+?\([^()]*\) AS\s+(?!TABLE\b)(?:[^;']|'[^']*')*;")

# One statement of several, with the comments above it: all up to a semicolon outside of comments and quotes.
ONE = re.compile(r"""(?:--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[^;])+""")

# What is a lexicon's own: the stamp of its content, and what its weightings record of each property.
VALUES = (
    "scheme", "kept", "entries", "spaces", "known_spaces", "longest_path", "subcorpora", "stale_subcorpora",
    "subcorpus_ids", "without_direct", "trees_without_direct", "counts_are_arcs",
)  # fmt: skip
OWN = {"stamp", *(f"recorded_{name}" for name in (*OPTIONS, *RECORDED, *VALUES))}


@cache
def load_definitions() -> Statement:
    """Return all macros and views of a lexicon in load order, with placeholders for its own values."""
    text = "\n".join(f"{each.text};" for name in DEFINITIONS for each in made(name))
    return Statement("definitions", text, frozenset(PLACEHOLDER.findall(text)))


@cache
def definitions_with_values() -> Statement:
    """Return what contains values of a lexicon, made anew by every addition; cached while no file of ours changes."""
    of_files, name = digest_of_files(), f"own-{user_cache.INSTALLATION}"
    found = user_cache.read_cached(name)
    text = str(found[-1]) if isinstance(found, list) and found[:1] == [of_files] else ""
    if not PLACEHOLDER.search(text) or not OWN.issuperset(PLACEHOLDER.findall(text)):
        own = [each for of in DEFINITIONS for each in made(of) if each.placeholders]
        singles = [each for of_file in own for each in ONE.findall(of_file.text) if PLACEHOLDER.search(each)]
        text = "\n".join(f"{each};" for each in singles)
        user_cache.write_cached(name, [of_files, text])
    return Statement("own definitions", text, frozenset(PLACEHOLDER.findall(text)))


@cache
def recording_definitions() -> Statement:
    """Return the scalar macros that contain recorded values.

    They need no table and no other file.
    """
    files = ["\n".join(f"{each.text};" for each in made(name)) for name in DEFINITIONS]
    text = "\n".join(macro for file in files if "@recorded_" in file for macro in SCALAR.findall(file))
    return Statement("recording definitions", text, frozenset(PLACEHOLDER.findall(text)))


# What is counted, in a subcorpus as in the whole: a row of each table, its columns but for those of counts, and its
# column of counts before `merged`. The columns are those of migrations/tables.sql.
COUNTED = {
    "lexeme": ("a lexeme", "id, text, lemma, pos, frequency", "cooccurrences"),
    "path": ("a path", "id, text, path_order, inverse_id", "count"),
    "node": ("a node of a lexeme's APT", "id, lexeme_id, path_id", "count"),
    "cooccurrence": ("a co-occurrence", "lexeme_id, path_id, context_id", "count"),
}


@cache
def made_again() -> dict[str, list[dict[str, SqlText]]]:
    """Return the values of placeholders for a definition that is made several times."""
    schemes = [{"scheme": SqlText(name), "meaning": SqlText(scheme.meaning)} for name, scheme in SCHEMES.items()]
    return {
        "store/define/of_subcorpus": [
            {"table": SqlText(table), "row": SqlText(row), "columns": SqlText(columns), "total": SqlText(total)}
            for table, (row, columns, total) in COUNTED.items()
        ],
        "questions/define/option": [
            {
                "name": SqlText(name),
                "kind": SqlText(TYPES[find_plain_type(OfWeighting, name)]),
                "recorded_option": SqlText(f"@recorded_{name}@"),
            }
            for name in OPTIONS
        ],
        "questions/define/scheme": schemes,
        "questions/define/scheme_view": schemes,
    }


def made(name: str) -> list[Statement]:
    """Return a definition with the common placeholders filled; several where it is made once for each of a list."""
    common = list_placeholders()
    if name == HELP:
        objects = list_described_objects()
        rows = list_parameter_rows((each.name, each.parameters) for each in objects if each.kind != "view")
        told = SqlText(",\n    ".join(each.row() for each in objects))
        common = {**common, "help_rows": told, "parameter_rows": rows}
    found = []
    for values in made_again().get(name, [{}]):
        read = read_text(name, frozenset({*common, *values, *OWN}))
        found.append(read.with_some({**common, **values}))
    return found


@cache
def list_described_objects() -> list[Public]:
    """Return the public objects that definitions describe; those of `aptdb_help` come last."""
    texts = [made_of.text for name in DEFINITIONS if name != HELP for made_of in made(name)]
    last = read_text(HELP, frozenset({"help_rows", "parameter_rows"})).text
    return [each for text in (*texts, last) for each in public_in(text)]


@cache
def private_objects() -> frozenset[tuple[str, str]]:
    """Return the macros and views of the private schema as pairs of kind (e.g. MACRO TABLE) and name."""
    return frozenset((kind + is_table, name) for kind, name, is_table in PRIVATE.findall(load_definitions().text))


@cache
def definitions_digest() -> str:
    """Return a digest of all definitions.

    It is cached while none of our files changes.
    """
    of_files, name = digest_of_files(), f"definitions-{user_cache.INSTALLATION}"
    found = user_cache.read_cached(name)
    if isinstance(found, list) and found[:1] == [of_files]:
        return str(found[-1])
    comments = repr([COLUMNS, IN_RELATION])
    digest = sha256(f"{load_definitions().text}{comments}".encode()).hexdigest()
    user_cache.write_cached(name, [of_files, digest])
    return digest


@cache
def digest_of_files() -> str:
    """Return a digest that changes when a Python or SQL file of the definitions is written or replaced."""
    found = []
    folders = [Path(__file__).parent.parent, resource("sql")]
    for folder in folders:
        for each in os.scandir(folder):
            if each.is_dir():
                folders.append(Path(each))
            elif each.name.endswith((".py", ".sql")):
                status = each.stat()
                found.append([each.path, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return sha256(repr(sorted(found)).encode()).hexdigest()
