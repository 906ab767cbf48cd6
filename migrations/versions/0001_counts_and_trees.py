"""The first store: settings, corpora with their trees, and the counts derived from them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "settings",
        column("uid", sa.String),
        column("stamp", sa.String),
        column("definitions", sa.String),
        column("created_at", sa.DateTime),
        column("version", sa.String),
        column("max_order", sa.Integer),
        column("lexeme", sa.String),
        column("lowercase", sa.Boolean),
        column("exclude_upos", sa.String),
        column("relations", sa.String),
        schema=SCHEMA,
    )
    op.create_table(
        "corpus",
        column("id", sa.Integer),
        column("name", sa.String),
        column("source", sa.String),
        column("sha256", sa.String),
        column("sentences", sa.BigInteger),
        column("tokens", sa.BigInteger),
        column("added_at", sa.DateTime),
        column("version", sa.String),
        schema=SCHEMA,
    )
    op.create_table(
        "sentence",
        column("id", sa.Integer),
        column("corpus_id", sa.Integer),
        column("sent_id", sa.String, nullable=True),
        schema=SCHEMA,
    )
    op.create_table(
        "word",
        column("id", sa.Integer),
        column("form", sa.String),
        column("lemma", sa.String),
        column("upos", sa.String),
        column("xpos", sa.String),
        column("lexeme_id", sa.Integer, nullable=True),
        schema=SCHEMA,
    )
    op.create_table(
        "relation",
        column("id", sa.Integer),
        column("text", sa.String),
        column("label", sa.String),
        schema=SCHEMA,
    )
    op.create_table(
        "token",
        column("sentence_id", sa.Integer),
        column("position", sa.Integer),
        column("word_id", sa.Integer),
        column("head", sa.Integer),
        column("relation_id", sa.Integer),
        column("space_after", sa.Boolean),
        schema=SCHEMA,
    )
    op.create_table(
        "lexeme",
        column("id", sa.Integer),
        column("text", sa.String),
        column("lemma", sa.String),
        column("pos", sa.String, nullable=True),
        column("frequency", sa.BigInteger),
        column("cooccurrences", sa.BigInteger),
        schema=SCHEMA,
    )
    op.create_table(
        "path",
        column("id", sa.Integer),
        column("text", sa.String),
        column("path_order", sa.Integer),
        column("inverse_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )
    op.create_table(
        "node",
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )
    op.create_table(
        "cooccurrence",
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("context_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in (
        "cooccurrence",
        "node",
        "path",
        "lexeme",
        "token",
        "relation",
        "word",
        "sentence",
        "corpus",
        "settings",
    ):
        op.drop_table(table, schema=SCHEMA)
