"""The stored trees, paths and marginals as public relations. The tables stay; the new names may be a user's own."""

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Views are made with all others."""


def downgrade() -> None:
    """They stay: plain views, which an older version does not know."""
