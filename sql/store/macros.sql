-- A row: a macro that the database in use holds, its parameters and its text. (The functions of DuckDB are named in
-- full: a file may have macros of their names.)
SELECT schema_name, function_name, function_type, parameters::VARCHAR, macro_definition
FROM system.main.duckdb_functions()
WHERE NOT internal AND database_name = system.main.current_database();
