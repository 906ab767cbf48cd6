"""Parts of the corpora are called subcorpora."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

SCHEMA = "_store"
OF_SUBCORPORA = ("sentence", "lexeme", "path", "node", "cooccurrence")

# Whether the view `parts` is aptdb's. Before schema 0011 one of this name is the user's own.
OUR_VIEW = """
    SELECT count(*) FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = 'main' AND view_name = 'parts'
        AND contains(sql, '_store.part')
"""


def rename(table: str, name: str) -> None:
    """Rename a table: DuckDB takes no schema before the new name, which Alembic writes."""
    op.execute(f"ALTER TABLE {SCHEMA}.{table} RENAME TO {name}")


def upgrade() -> None:
    if op.get_bind().execute(sa.text(OUR_VIEW)).scalar():
        op.execute("DROP VIEW parts")
    for table in OF_SUBCORPORA:
        op.alter_column(f"part_{table}", "part_id", new_column_name="subcorpus_id", schema=SCHEMA)
        rename(f"part_{table}", f"subcorpus_{table}")
    rename("part", "subcorpus")
    op.alter_column("weighting", "part", new_column_name="subcorpus", schema=SCHEMA)


def downgrade() -> None:
    op.alter_column("weighting", "subcorpus", new_column_name="part", schema=SCHEMA)
    rename("subcorpus", "part")
    for table in reversed(OF_SUBCORPORA):
        rename(f"subcorpus_{table}", f"part_{table}")
        op.alter_column(f"part_{table}", "subcorpus_id", new_column_name="part_id", schema=SCHEMA)
