"""Weights that are kept, without the path and the context, which follow from the feature."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def upgrade() -> None:
    op.drop_column("kept_weight", "path_id", schema=SCHEMA)
    op.drop_column("kept_weight", "context_id", schema=SCHEMA)


def downgrade() -> None:
    """Give every weight its path and context again."""
    op.execute(
        "CREATE TABLE _store.kept_weight_again AS "
        "SELECT weighting_id, feature_id, kept.lexeme_id, coalesce(path.inverse_id, 0) AS path_id, "
        "coalesce(node.lexeme_id, 0) AS context_id, weight FROM _store.kept_weight AS kept "
        "LEFT JOIN _store.node ON node.id = kept.feature_id LEFT JOIN _store.path ON path.id = node.path_id "
        "ORDER BY weighting_id, feature_id, kept.lexeme_id"
    )
    op.drop_table("kept_weight", schema=SCHEMA)
    op.execute(f"ALTER TABLE {SCHEMA}.kept_weight_again RENAME TO kept_weight")
