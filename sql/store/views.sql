-- A row: a view that the database in use holds, and its text.
SELECT schema_name, view_name, sql
FROM system.main.duckdb_views()
WHERE NOT internal AND database_name = system.main.current_database();
