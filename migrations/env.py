"""Runs the migrations on the connection that `aptdb.schema` hands over; there is no other way in."""

from alembic import context
from alembic.ddl.impl import DefaultImpl


class DuckDBImpl(DefaultImpl):
    """What Alembic needs to know of DuckDB: its name, and that its DDL takes part in transactions."""

    __dialect__ = "duckdb"
    transactional_ddl = True


context.configure(
    connection=context.config.attributes["connection"],
    version_table_schema="_store",
    transaction_per_migration=False,
)
context.run_migrations()
