"""How many features a weighting keeps of each path."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SCHEMA = "_store"


def upgrade() -> None:
    op.add_column("weighting", sa.Column("top_features_per_path", sa.BigInteger), schema=SCHEMA)


def downgrade() -> None:
    op.drop_column("weighting", "top_features_per_path", schema=SCHEMA)
