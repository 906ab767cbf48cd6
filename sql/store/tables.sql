-- A row: a table of a database, the user's own included.
-- @database@: the database by name.
SELECT schema_name, table_name
FROM duckdb_tables()
WHERE database_name = @database@ AND NOT internal
ORDER BY ALL;
