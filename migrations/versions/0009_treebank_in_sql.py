"""The stored trees, paths and marginals as public relations. The tables stay; the new names may be a user's own."""

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

VIEWS = ("corpora", "tokens", "sentences", "arcs", "paths", "nodes", "features", "settings")


def upgrade() -> None:
    """Views are made with all others."""


def downgrade() -> None:
    from alembic import op

    for name in VIEWS:
        op.execute(f"DROP VIEW IF EXISTS {name}")
