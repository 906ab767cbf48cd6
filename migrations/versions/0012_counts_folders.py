"""How many tokens of a lexeme a corpus of counts has; and where the counts are, if they are in a folder."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SCHEMA = "_store"

# What additions have taken for the tokens of a lexeme until now: how often it meets itself at ε, else the most that it
# is counted in any one co-occurrence.
FILL = """
    INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
    SELECT given_count.corpus_id, given_count.lexeme_id, coalesce(
            max(given_count.count) FILTER (path.text = '' AND given_count.context_id = given_count.lexeme_id),
            max(given_count.count)
        )
    FROM _store.given_count
    JOIN _store.path ON path.id = given_count.path_id
    GROUP BY given_count.corpus_id, given_count.lexeme_id
    ORDER BY given_count.corpus_id, given_count.lexeme_id
"""


def upgrade() -> None:
    op.create_table(
        "given_lexeme",
        sa.Column("corpus_id", sa.Integer, nullable=False),
        sa.Column("lexeme_id", sa.Integer, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        schema=SCHEMA,
    )
    op.create_table(
        "opened",
        sa.Column("folder", sa.String, nullable=False),
        sa.Column("relative_folder", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        schema=SCHEMA,
    )
    # In DuckDB 2.0.0 a transaction does not see what it inserts into an empty table after an INSERT of no rows.
    if op.get_bind().execute(sa.text("SELECT count(*) FROM _store.given_count")).scalar():
        op.execute(FILL)


def downgrade() -> None:
    op.drop_table("opened", schema=SCHEMA)
    op.drop_table("given_lexeme", schema=SCHEMA)
