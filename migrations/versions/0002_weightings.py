"""Weightings with a name, their kept weights, and a number for every feature, which is that of the node it mirrors."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    op.execute(f"ALTER TABLE {SCHEMA}.node RENAME TO node_without_id")
    op.create_table(
        "node",
        column("id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )
    op.execute(
        f"INSERT INTO {SCHEMA}.node SELECT row_number() OVER (ORDER BY lexeme_id, path_id), lexeme_id, path_id, count "
        f"FROM {SCHEMA}.node_without_id ORDER BY lexeme_id, path_id"
    )
    op.drop_table("node_without_id", schema=SCHEMA)
    op.create_table(
        "weighting",
        column("id", sa.Integer),
        column("name", sa.String),
        column("scheme", sa.String),
        column("cds", sa.Double, nullable=True),
        column("cds_total", sa.String, nullable=True),
        column("scope", sa.String, nullable=True),
        column("shift", sa.Double, nullable=True),
        column("min_count", sa.BigInteger, nullable=True),
        column("min_feature_count", sa.BigInteger, nullable=True),
        column("max_order", sa.BigInteger, nullable=True),
        column("min_frequency", sa.BigInteger, nullable=True),
        column("top_features", sa.BigInteger, nullable=True),
        column("phi", sa.String),
        column("state", sa.String),
        column("weights", sa.BigInteger),
        column("recorded_at", sa.DateTime),
        column("kept_at", sa.DateTime, nullable=True),
        schema=SCHEMA,
    )
    op.create_table(
        "kept_weight",
        column("weighting_id", sa.Integer),
        column("feature_id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("context_id", sa.Integer),
        column("weight", sa.Double),
        schema=SCHEMA,
    )
    op.create_table(
        "kept_size",
        column("weighting_id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("total", sa.Double),
        column("square", sa.Double),
        column("least", sa.Double),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("kept_size", "kept_weight", "weighting"):
        op.drop_table(table, schema=SCHEMA)
    op.execute(f"ALTER TABLE {SCHEMA}.node RENAME TO node_with_id")
    op.create_table(
        "node",
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )
    op.execute(f"INSERT INTO {SCHEMA}.node SELECT lexeme_id, path_id, count FROM {SCHEMA}.node_with_id ORDER BY id")
    op.drop_table("node_with_id", schema=SCHEMA)
