"""Senses: groups of the occurrences of a lexeme."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    """Return a column that is never NULL."""
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    op.create_table(
        "sense",
        column("id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("number", sa.Integer),
        column("occurrences", sa.BigInteger),
        column("vector", sa.ARRAY(sa.REAL)),
        column("space", sa.String),
        column("asked", sa.String),
        column("state", sa.String),
        column("sensed_at", sa.DateTime),
        column("version", sa.String),
        schema=SCHEMA,
    )
    op.create_table(
        "sense_occurrence",
        column("sense_id", sa.Integer),
        column("sentence_id", sa.Integer),
        column("position", sa.Integer),
        column("similarity", sa.Double),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("sense_occurrence", "sense"):
        op.drop_table(table, schema=SCHEMA)
