"""What evaluations came to, with all that they were made with."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "evaluation",
        column("id", sa.Integer),
        column("dataset", sa.String),
        column("sha256", sa.String),
        column("part", sa.String),
        column("method", sa.String),
        column("merge", sa.String, nullable=True),
        column("weights", sa.String),
        column("parameters", sa.String),
        column("rho", sa.Double, nullable=True),
        column("low", sa.Double, nullable=True),
        column("high", sa.Double, nullable=True),
        column("items", sa.BigInteger),
        column("missing", sa.BigInteger),
        column("empty", sa.BigInteger),
        column("undefined", sa.String, nullable=True),
        column("question", sa.String),
        column("content", sa.String),
        column("tokens", sa.BigInteger),
        column("evaluated_at", sa.DateTime),
        column("version", sa.String),
        schema=SCHEMA,
    )


def downgrade() -> None:
    op.drop_table("evaluation", schema=SCHEMA)
