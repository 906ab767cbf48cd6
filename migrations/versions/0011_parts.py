"""Parts of the corpora, each counted by itself; and of which part a weighting is."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

SCHEMA = "_store"

# The columns of each table, and their types; those of `nullable` may be NULL.
TABLES: dict[str, dict[str, Any]] = {
    "part": {
        "id": sa.Integer,
        "name": sa.String,
        "condition": sa.String,
        "state": sa.String,
        "sentences": sa.BigInteger,
        "tokens": sa.BigInteger,
        "counted_at": sa.DateTime,
    },
    "part_sentence": {"part_id": sa.Integer, "sentence_id": sa.Integer},
    "part_lexeme": {
        "part_id": sa.Integer,
        "id": sa.Integer,
        "text": sa.String,
        "lemma": sa.String,
        "pos": sa.String,
        "frequency": sa.BigInteger,
        "cooccurrences": sa.BigInteger,
    },
    "part_path": {
        "part_id": sa.Integer,
        "id": sa.Integer,
        "text": sa.String,
        "path_order": sa.Integer,
        "inverse_id": sa.Integer,
        "count": sa.BigInteger,
    },
    "part_node": {
        "part_id": sa.Integer,
        "id": sa.Integer,
        "lexeme_id": sa.Integer,
        "path_id": sa.Integer,
        "count": sa.BigInteger,
    },
    "part_cooccurrence": {
        "part_id": sa.Integer,
        "lexeme_id": sa.Integer,
        "path_id": sa.Integer,
        "context_id": sa.Integer,
        "count": sa.BigInteger,
    },
}
NULLABLE = {("part_lexeme", "pos")}


def upgrade() -> None:
    for table, columns in TABLES.items():
        made = (sa.Column(name, kind, nullable=(table, name) in NULLABLE) for name, kind in columns.items())
        op.create_table(table, *made, schema=SCHEMA)
    op.add_column("weighting", sa.Column("part", sa.String), schema=SCHEMA)


def downgrade() -> None:
    op.drop_column("weighting", "part", schema=SCHEMA)
    for table in reversed(TABLES):
        op.drop_table(table, schema=SCHEMA)
