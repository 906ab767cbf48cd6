-- A row: a table in the private schema.
SELECT table_name
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database() AND schema_name = '_store';
