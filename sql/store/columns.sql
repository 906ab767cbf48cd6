-- A row: a column of a public view.
SELECT table_name, column_name
FROM system.main.duckdb_columns()
WHERE database_name = system.main.current_database() AND schema_name = 'main'
ORDER BY table_name, column_index;
