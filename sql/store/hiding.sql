-- A row: a macro of the user's own that hides a function of DuckDB by its name.
SELECT DISTINCT function_name
FROM system.main.duckdb_functions()
WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = 'main'
    AND function_name IN (SELECT function_name FROM system.main.duckdb_functions() WHERE internal)
ORDER BY function_name;
