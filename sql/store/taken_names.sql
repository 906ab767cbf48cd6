-- A row: a name that no attached database can have: that of a database, with its file if it has one, or of a schema of
-- the database in use or of DuckDB.
SELECT database_name AS name, path
FROM system.main.duckdb_databases()
UNION ALL
SELECT schema_name, NULL
FROM system.main.duckdb_schemas()
WHERE database_name IN (system.main.current_database(), 'system');
