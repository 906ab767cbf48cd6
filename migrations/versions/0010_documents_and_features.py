"""FEATS of words; documents, and what files say of documents and sentences."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def upgrade() -> None:
    """Add them. Words of before have no features that we know, sentences no document."""
    op.execute(f"ALTER TABLE {SCHEMA}.word ADD COLUMN feats VARCHAR DEFAULT ''")
    op.execute(f"ALTER TABLE {SCHEMA}.word ALTER COLUMN feats SET NOT NULL")
    op.execute(f"ALTER TABLE {SCHEMA}.word ALTER COLUMN feats DROP DEFAULT")
    op.execute(f"ALTER TABLE {SCHEMA}.sentence ADD COLUMN document_id INTEGER")
    op.create_table(
        "document",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("corpus_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        schema=SCHEMA,
    )
    for level in ("document", "sentence"):
        op.create_table(f"{level}_metadata", sa.Column(f"{level}_id", sa.Integer, nullable=False), schema=SCHEMA)


def downgrade() -> None:
    """Take them away. Words that differ in their features alone become one."""
    for table in ("sentence_metadata", "document_metadata", "document"):
        op.drop_table(table, schema=SCHEMA)
    op.execute(f"ALTER TABLE {SCHEMA}.sentence DROP COLUMN document_id")
    kept = f"(SELECT min(id) OVER (PARTITION BY form, lemma, upos, xpos) AS kept, id FROM {SCHEMA}.word)"
    for table in ("token", "joined"):
        op.execute(f"UPDATE {SCHEMA}.{table} SET word_id = same.kept FROM {kept} AS same WHERE same.id = word_id")
    op.execute(f"DELETE FROM {SCHEMA}.word WHERE id NOT IN (SELECT kept FROM {kept})")
    op.execute(f"ALTER TABLE {SCHEMA}.word DROP COLUMN feats")
