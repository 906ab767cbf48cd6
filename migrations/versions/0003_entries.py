"""Composed APTs that are stored as entries of their own, apart from the counted lexemes."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "entry",
        column("id", sa.Integer),
        column("name", sa.String),
        column("phrase", sa.String),
        column("anchored", sa.String, nullable=True),
        column("pos", sa.String, nullable=True),
        column("weighing", sa.String),
        column("composition", sa.String),
        column("question", sa.String),
        column("state", sa.String),
        column("weights", sa.BigInteger),
        column("stored_at", sa.DateTime),
        schema=SCHEMA,
    )
    op.create_table(
        "entry_weight",
        column("entry_id", sa.Integer),
        column("path", sa.String),
        column("context", sa.String),
        column("weight", sa.Double),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("entry_weight", "entry"):
        op.drop_table(table, schema=SCHEMA)
