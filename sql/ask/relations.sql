-- A row: the name of a view or table that this database shows.
SELECT lower(view_name) FROM duckdb_views() WHERE database_name = current_database() AND schema_name = 'main'
UNION ALL
SELECT lower(table_name) FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'main';
