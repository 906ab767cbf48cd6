"""Direct counts: how much of each count is merged. They are counted afterwards, from the stored trees."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SCHEMA = "_store"
COUNTED = ("lexeme", "path", "node", "cooccurrence")
TABLES = (*COUNTED, "given_count", *(f"subcorpus_{table}" for table in COUNTED))

# Whether the counts are in a folder, so that a view stands for their table.
IS_VIEW = """
    SELECT count(*) FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = '_store' AND view_name = 'cooccurrence'
"""


def add(table: str, column: str, kind: str, value: str) -> None:
    """Add a column that is never NULL, with one value in all rows."""
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ADD COLUMN {column} {kind} DEFAULT {value}")
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {column} SET NOT NULL")
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {column} DROP DEFAULT")


def own_tables() -> list[str]:
    """Return the tables of counts that the lexicon has itself."""
    is_view = op.get_bind().execute(sa.text(IS_VIEW)).scalar()
    return [table for table in TABLES if not (is_view and table == "cooccurrence")]


def upgrade() -> None:
    for table in own_tables():
        add(table, "merged", "BIGINT", "0")
    add("corpus", "has_direct", "BOOLEAN", "false")
    op.add_column("weighting", sa.Column("counts", sa.String), schema=SCHEMA)


def downgrade() -> None:
    op.drop_column("weighting", "counts", schema=SCHEMA)
    op.drop_column("corpus", "has_direct", schema=SCHEMA)
    for table in reversed(own_tables()):
        op.drop_column(table, "merged", schema=SCHEMA)
