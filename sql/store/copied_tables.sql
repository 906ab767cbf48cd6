-- A row: a table of the database in use.
SELECT schema_name, table_name
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database();
