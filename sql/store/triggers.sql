-- A row: a trigger on a table of the private schema, which aptdb never makes.
SELECT trigger_name, table_name
FROM system.main.duckdb_triggers()
WHERE database_name = system.main.current_database() AND schema_name = '_store';
