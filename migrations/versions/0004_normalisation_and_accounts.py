"""Settings of how lexemes are made, lexemes of several tokens, counts that came without trees, what was skipped."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SCHEMA = "_store"
# What a lexicon had that was made before: as a SQL literal of the column's type.
ADDED = (
    ("settings", "relation_map", "VARCHAR", "'{}'"),
    ("settings", "pos_map", "VARCHAR", "'{}'"),
    ("settings", "exclude_relations", "VARCHAR", "'[]'"),
    ("settings", "joined_relations", "VARCHAR", "'[]'"),
    ("settings", "min_token_length", "INTEGER", "0"),
    ("settings", "nfc", "BOOLEAN", "false"),
    ("settings", "stop_list", "VARCHAR", "'[]'"),
    ("settings", "stemmer", "VARCHAR", "'english'"),
    ("settings", "runs", "INTEGER", "0"),
    ("corpus", "kind", "VARCHAR", "'trees'"),
    ("corpus", "skipped", "BIGINT", "0"),
)


def column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    for table, name, kind, default in ADDED:
        op.execute(f"ALTER TABLE {SCHEMA}.{table} ADD COLUMN {name} {kind} DEFAULT {default}")
        op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {name} SET NOT NULL")
        op.execute(f"ALTER TABLE {SCHEMA}.{table} ALTER COLUMN {name} DROP DEFAULT")
    op.execute(f"UPDATE {SCHEMA}.settings SET runs = (SELECT count(*) FROM {SCHEMA}.corpus)")
    tags = "CASE WHEN exclude_upos = '' THEN '[]' ELSE to_json(string_split(exclude_upos, ','))::VARCHAR END"
    op.execute(f"UPDATE {SCHEMA}.settings SET exclude_upos = {tags}")
    op.execute(f"ALTER TABLE {SCHEMA}.relation ALTER COLUMN label DROP NOT NULL")
    op.execute(f"DELETE FROM {SCHEMA}.path WHERE count = 0")
    op.create_table(
        "joined",
        column("sentence_id", sa.Integer),
        column("position", sa.Integer),
        column("top", sa.Integer),
        column("word_id", sa.Integer),
        schema=SCHEMA,
    )
    op.create_table(
        "given_count",
        column("corpus_id", sa.Integer),
        column("lexeme_id", sa.Integer),
        column("path_id", sa.Integer),
        column("context_id", sa.Integer),
        column("count", sa.BigInteger),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("given_count", "joined"):
        op.drop_table(table, schema=SCHEMA)
    tags = "array_to_string(from_json(exclude_upos, '[\"VARCHAR\"]'), ',')"
    op.execute(f"UPDATE {SCHEMA}.settings SET exclude_upos = {tags}")
    op.execute(f"DELETE FROM {SCHEMA}.relation WHERE label IS NULL")
    op.execute(f"ALTER TABLE {SCHEMA}.relation ALTER COLUMN label SET NOT NULL")
    for table, name, _, _ in ADDED:
        op.execute(f"ALTER TABLE {SCHEMA}.{table} DROP COLUMN {name}")
