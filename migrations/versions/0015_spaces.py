"""Reduced spaces: projections of features, and the vectors of lexemes."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    """Return a column that is never NULL."""
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    op.create_table(
        "space",
        column("id", sa.Integer),
        column("name", sa.String),
        column("dimensions", sa.Integer),
        column("shift", sa.Double),
        column("power", sa.Double),
        column("max_order", sa.Integer),
        column("min_frequency", sa.BigInteger),
        column("min_feature_count", sa.BigInteger),
        column("pos", sa.String),
        column("seed", sa.BigInteger),
        column("state", sa.String),
        column("lexemes", sa.BigInteger),
        column("features", sa.BigInteger),
        column("vectors", sa.BigInteger),
        column("least_frequency", sa.BigInteger),
        column("asked", sa.String),
        column("reduced_at", sa.DateTime),
        column("version", sa.String),
        schema=SCHEMA,
    )
    op.create_table(
        "space_feature",
        column("space_id", sa.Integer),
        column("path_id", sa.Integer),
        column("context_id", sa.Integer),
        column("scale", sa.Double),
        column("projection", sa.ARRAY(sa.SmallInteger)),
        schema=SCHEMA,
    )
    op.create_table(
        "space_vector",
        column("space_id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("vector", sa.ARRAY(sa.REAL)),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("space_vector", "space_feature", "space"):
        op.drop_table(table, schema=SCHEMA)
