"""The tables of a lexicon for SQLAlchemy, after the last migration. meaning.md 8 describes their contents.

They are in the schema `_store`, apart from the public views and macros in `main`. So a user who lists `main` sees only
public objects, and a name in a user's query (a CTE `path`, a temporary table `lexeme`) never hides a table.
"""

from typing import Any

import sqlalchemy as sa

from aptdb.store.version import SCHEMA

metadata = sa.MetaData(schema=SCHEMA)


# Keys of tables, and tables that columns refer to. They are not constraints: DuckDB's indexes would be larger
# than the counts. `verify` checks them.
REFERS_TO, KEYS = "refers_to", "keys"


class TextByName(sa.types.UserDefinedType[dict[str, str]]):
    """A map from names to texts."""

    def get_col_spec(self, **_: Any) -> str:
        """Return the type in SQL."""
        return "MAP(VARCHAR, VARCHAR)"


def required(
    name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]], refers_to: str = ""
) -> sa.Column[Any]:
    """Return a column that is never NULL; refers_to: the table, or the kind of `derived`, whose id it is."""
    return sa.Column(name, kind, nullable=False, info={REFERS_TO: refers_to} if refers_to else {})


def keys(*columns: str) -> dict[str, tuple[str, ...]]:
    """Return the keys of a table, each one or several columns with commas between them."""
    return {KEYS: columns}


# One row: the migration that a file is at. It is Alembic's, made as Alembic makes it, and so no table of `metadata`.
revision = sa.Table("alembic_version", sa.MetaData(schema=SCHEMA), required("version_num", sa.String))
revision.append_constraint(sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"))

# One row: how this lexicon counts, its identity (uid), that of its content (stamp) and that of its SQL (definitions).
# Maps and lists of names are JSON. runs: how many additions there were since the counts were last sorted.
settings = sa.Table(
    "settings",
    metadata,
    *(required(each, sa.String) for each in ("uid", "stamp", "definitions")),
    required("created_at", sa.DateTime),
    required("version", sa.String),
    required("max_order", sa.Integer),
    required("lexeme", sa.String),
    required("lowercase", sa.Boolean),
    *(
        required(each, sa.String)
        for each in ("exclude_upos", "relations", "relation_map", "pos_map", "exclude_relations", "joined_relations")
    ),
    required("min_token_length", sa.Integer),
    required("nfc", sa.Boolean),
    required("stop_list", sa.String),
    required("stemmer", sa.String),
    required("runs", sa.Integer),
)

# A row: a corpus that was added; sha256 is that of its unpacked bytes. kind: trees, or counts without trees. skipped:
# how many of its sentences were invalid and left out. has_direct: whether its direct counts are known.
corpus = sa.Table(
    "corpus",
    metadata,
    required("id", sa.Integer),
    *(required(each, sa.String) for each in ("name", "source", "sha256")),
    required("sentences", sa.BigInteger),
    required("tokens", sa.BigInteger),
    required("added_at", sa.DateTime),
    required("version", sa.String),
    required("kind", sa.String),
    required("skipped", sa.BigInteger),
    required("has_direct", sa.Boolean),
    info=keys("id", "name"),
)

# A row: a sentence of a corpus, and its document.
sentence = sa.Table(
    "sentence",
    metadata,
    required("id", sa.Integer),
    required("corpus_id", sa.Integer, "corpus"),
    sa.Column("sent_id", sa.String),
    sa.Column("document_id", sa.Integer, info={REFERS_TO: "document"}),
    info=keys("id"),
)

# A row: a document of a corpus, by its name there. Sentences of before schema 0010 are in none.
document = sa.Table(
    "document",
    metadata,
    required("id", sa.Integer),
    required("corpus_id", sa.Integer, "corpus"),
    required("name", sa.String),
    info=keys("id", "corpus_id, name"),
)

# A row: metadata of a document, or of a sentence. Each kind that there is has a column of its own
# (counting/metadata), by its name, with the type of its values.
document_metadata = sa.Table(
    "document_metadata", metadata, required("document_id", sa.Integer, "document"), info=keys("document_id")
)
sentence_metadata = sa.Table(
    "sentence_metadata", metadata, required("sentence_id", sa.Integer, "sentence"), info=keys("sentence_id")
)

# A row: a word as files write it, or as several joined tokens make it, with its analysis, and the lexeme that this
# lexicon makes of it; NULL if it is left out, or is only a part of joined words. feats: its features as the file writes
# them, '' in what was added before they were stored (schema 0010).
word = sa.Table(
    "word",
    metadata,
    required("id", sa.Integer),
    *(required(each, sa.String) for each in ("form", "lemma", "upos", "xpos")),
    sa.Column("lexeme_id", sa.Integer, info={REFERS_TO: "lexeme"}),
    required("feats", sa.String),
    info=keys("id", "form, lemma, upos, xpos, feats"),
)

# A row: a relation as files write it, and the label under which this lexicon counts it; NULL if such edges are not
# counted.
relation = sa.Table(
    "relation",
    metadata,
    required("id", sa.Integer),
    required("text", sa.String),
    sa.Column("label", sa.String),
    info=keys("id", "text"),
)

# A row: a token of a sentence, at its position, with the position of its head (0 for a root) and its relation to it.
token = sa.Table(
    "token",
    metadata,
    required("sentence_id", sa.Integer, "sentence"),
    required("position", sa.Integer),
    required("word_id", sa.Integer, "word"),
    required("head", sa.Integer),
    required("relation_id", sa.Integer, "relation"),
    required("space_after", sa.Boolean),
    info=keys("sentence_id, position"),
)

# A row: a token that is joined with others into one lexeme, the position of their top, and the word that they make.
# (Derived from the trees; other tokens have no row.)
joined = sa.Table(
    "joined",
    metadata,
    required("sentence_id", sa.Integer, "sentence"),
    required("position", sa.Integer),
    required("top", sa.Integer),
    required("word_id", sa.Integer, "word"),
    info=keys("sentence_id, position"),
)

# Beside each count stands how much of it is merged: pairs that are packed together but whose path in the tree itself
# is another. The rest are the direct counts. Most co-occurrences have nothing merged, and a column of zeros takes no
# room. Where a corpus came without direct counts (has_direct), nothing of it is known to be merged.

# A row: a lexeme, the number of its tokens and of its co-occurrences (n_w).
lexeme = sa.Table(
    "lexeme",
    metadata,
    required("id", sa.Integer),
    required("text", sa.String),
    required("lemma", sa.String),
    sa.Column("pos", sa.String),
    *(required(each, sa.BigInteger) for each in ("frequency", "cooccurrences", "merged")),
    info=keys("id", "text"),
)

# A row: a path, its order, its inverse, and the total of its counts (n_τ).
path = sa.Table(
    "path",
    metadata,
    required("id", sa.Integer),
    required("text", sa.String),
    required("path_order", sa.Integer),
    required("inverse_id", sa.Integer, "path"),
    required("count", sa.BigInteger),
    required("merged", sa.BigInteger),
    info=keys("id", "text"),
)

# A row: a node of a lexeme's APT, and the total of its counts (n_wτ). The marginal of a feature
# ⟨τ, w'⟩, n_τw', is that of the node of w' at the inverse of τ: the node's id is the feature's too.
node = sa.Table(
    "node",
    metadata,
    required("id", sa.Integer),
    required("lexeme_id", sa.Integer, "lexeme"),
    required("path_id", sa.Integer, "path"),
    required("count", sa.BigInteger),
    required("merged", sa.BigInteger),
    info=keys("id"),
)

# A row: how often a lexeme occurs with a context along a path (n), sorted by the three ids.
cooccurrence = sa.Table(
    "cooccurrence",
    metadata,
    required("lexeme_id", sa.Integer, "lexeme"),
    required("path_id", sa.Integer, "path"),
    required("context_id", sa.Integer, "lexeme"),
    required("count", sa.BigInteger),
    required("merged", sa.BigInteger),
)

# A row: a count of a corpus that came as counts, without trees. The counts above include it.
given_count = sa.Table(
    "given_count",
    metadata,
    required("corpus_id", sa.Integer, "corpus"),
    required("lexeme_id", sa.Integer, "lexeme"),
    required("path_id", sa.Integer, "path"),
    required("context_id", sa.Integer, "lexeme"),
    required("count", sa.BigInteger),
    required("merged", sa.BigInteger),
    info=keys("corpus_id, lexeme_id, path_id, context_id"),
)

# A row: a lexeme of a corpus that came as counts, and how many of its tokens it has. The frequencies above include it.
given_lexeme = sa.Table(
    "given_lexeme",
    metadata,
    required("corpus_id", sa.Integer, "corpus"),
    required("lexeme_id", sa.Integer, "lexeme"),
    required("tokens", sa.BigInteger),
    info=keys("corpus_id, lexeme_id"),
)

# No row, or one where the counts are in a folder of counts beside the lexicon, and cooccurrence is a view of its files:
# the folder, its place as seen from the lexicon, and the sha256 of its manifest.
opened = sa.Table(
    "opened",
    metadata,
    *(required(each, sa.String) for each in ("folder", "relative_folder", "digest")),
)

# A row: what is derived from counts and kept under a name. kind: weighting, entry, space, senses (of the lexeme that is
# its name) or subcorpus. asked: how it was asked for, parameters by name, from which it is made again; made: what came
# out, by name, as sizes. made_of: others that it is made of, as subcorpus:fiction. state: kept; stale after the
# lexicon, or what it is made of, has changed; or computed, of a weighting whose weights are not kept.
derived = sa.Table(
    "derived",
    metadata,
    required("id", sa.Integer),
    *(required(each, sa.String) for each in ("kind", "name", "state")),
    *(required(each, TextByName) for each in ("asked", "made")),
    required("made_of", sa.ARRAY(sa.String)),
    required("made_at", sa.DateTime),
    required("version", sa.String),
    info=keys("kind, id", "kind, name"),
)

# A row: a sentence of a subcorpus.
subcorpus_sentence = sa.Table(
    "subcorpus_sentence",
    metadata,
    required("subcorpus_id", sa.Integer, "subcorpus"),
    required("sentence_id", sa.Integer),
    info=keys("subcorpus_id, sentence_id"),
)


# A subcorpus has the same counts of its own, by the same ids.
def of_subcorpus(table: sa.Table) -> sa.Table:
    """Return the table of the same counts in subcorpora: the id of the subcorpus, then the same columns."""
    columns = (sa.Column(column.name, column.type, nullable=column.nullable) for column in table.columns)
    own = keys("subcorpus_id, id") if "id" in table.columns else {}
    return sa.Table(
        f"subcorpus_{table.name}", metadata, required("subcorpus_id", sa.Integer, "subcorpus"), *columns, info=own
    )


subcorpus_lexeme, subcorpus_path, subcorpus_node, subcorpus_cooccurrence = map(
    of_subcorpus, (lexeme, path, node, cooccurrence)
)

# A row: a weight of a weighting that is kept, without phi, in the order of their features, but for those that came with
# small additions: ranking looks up features. Path and context follow from the feature.
kept_weight = sa.Table(
    "kept_weight",
    metadata,
    required("weighting_id", sa.Integer, "weighting"),
    required("feature_id", sa.Integer),
    required("lexeme_id", sa.Integer),
    required("weight", sa.Double),
    info=keys("weighting_id, feature_id, lexeme_id"),
)

# A row: a lexeme under a weighting that is kept: the sum of its vector's values (under the weighting's phi), that of
# their squares, and the least of them.
kept_size = sa.Table(
    "kept_size",
    metadata,
    required("weighting_id", sa.Integer, "weighting"),
    required("lexeme_id", sa.Integer),
    *(required(each, sa.Double) for each in ("total", "square", "least")),
    info=keys("weighting_id, lexeme_id"),
)

# A row: a feature of a stored APT. Its path may be one that the lexicon lacks, and is text.
entry_weight = sa.Table(
    "entry_weight",
    metadata,
    required("entry_id", sa.Integer, "entry"),
    *(required(each, sa.String) for each in ("path", "context")),
    required("weight", sa.Double),
    info=keys("entry_id, path, context"),
)

# A row: the result of an evaluation on one part of a data set (the public view `evaluations` has its columns).
# question: everything that it was made with, as JSON; content: a digest of the lexicon and its weights. The two
# identify it.
evaluation = sa.Table(
    "evaluation",
    metadata,
    required("id", sa.Integer),
    *(required(each, sa.String) for each in ("dataset", "sha256", "part", "method")),
    sa.Column("merge", sa.String),
    *(required(each, sa.String) for each in ("weights", "parameters")),
    *(sa.Column(each, sa.Double) for each in ("rho", "low", "high")),
    *(required(each, sa.BigInteger) for each in ("items", "missing", "empty")),
    sa.Column("undefined", sa.String),
    *(required(each, sa.String) for each in ("question", "content")),
    required("tokens", sa.BigInteger),
    required("evaluated_at", sa.DateTime),
    required("version", sa.String),
    info=keys("id"),
)

# A row: a feature of a space, and what one unit of its weight adds to each dimension of a vector: projection · scale.
# (Whole numbers take half the room, and the sums of thousands are the same to five digits.)
space_feature = sa.Table(
    "space_feature",
    metadata,
    required("space_id", sa.Integer, "space"),
    required("path_id", sa.Integer, "path"),
    required("context_id", sa.Integer, "lexeme"),
    required("scale", sa.Double),
    required("projection", sa.ARRAY(sa.SmallInteger)),
    info=keys("space_id, path_id, context_id"),
)

# A row: a lexeme of a space, and its vector, of length 1.
space_vector = sa.Table(
    "space_vector",
    metadata,
    required("space_id", sa.Integer, "space"),
    required("lexeme_id", sa.Integer, "lexeme"),
    required("vector", sa.ARRAY(sa.REAL)),
    info=keys("space_id, lexeme_id"),
)

# A row: a sense of a lexeme, by its number from 1: how many occurrences are of it, and their centre in a space, of
# length 1. senses_id: the row of `derived` of all senses of the lexeme; if that is stale, no occurrences are stored.
sense = sa.Table(
    "sense",
    metadata,
    required("id", sa.Integer),
    required("lexeme_id", sa.Integer, "lexeme"),
    required("number", sa.Integer),
    required("occurrences", sa.BigInteger),
    required("vector", sa.ARRAY(sa.REAL)),
    required("senses_id", sa.Integer, "senses"),
    info=keys("id", "lexeme_id, number"),
)

# A row: an occurrence that has a sense, by the position of its node, and how near it is to the centre of the sense.
sense_occurrence = sa.Table(
    "sense_occurrence",
    metadata,
    required("sense_id", sa.Integer, "sense"),
    required("sentence_id", sa.Integer, "sentence"),
    required("position", sa.Integer),
    required("similarity", sa.Double),
    info=keys("sense_id, sentence_id, position"),
)
