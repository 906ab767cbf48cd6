"""MISC and DEPS of tokens. Of corpora that were added before, neither is known."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

SCHEMA = "_store"
COLUMNS = ("misc_id", "deps_id")


def add(table: str, column: str, kind: str, value: str) -> None:
    """Add a column that is never NULL, with one value in all rows."""
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ADD COLUMN {column} {kind} DEFAULT {value}")
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {column} SET NOT NULL")
    op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {column} DROP DEFAULT")


def upgrade() -> None:
    op.execute(f"CREATE TABLE {SCHEMA}.annotation (id INTEGER NOT NULL, text VARCHAR NOT NULL USING COMPRESSION zstd)")
    op.execute(f"INSERT INTO {SCHEMA}.annotation SELECT 1, '' WHERE EXISTS (FROM {SCHEMA}.token)")
    for column in COLUMNS:
        add("token", column, "INTEGER", "1")
    add("corpus", "has_misc", "BOOLEAN", "false")


def downgrade() -> None:
    op.drop_column("corpus", "has_misc", schema=SCHEMA)
    for column in reversed(COLUMNS):
        op.drop_column("token", column, schema=SCHEMA)
    op.drop_table("annotation", schema=SCHEMA)
