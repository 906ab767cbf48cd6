-- A row: a macro or view in the private schema, by what it is dropped as.
SELECT DISTINCT CASE function_type WHEN 'macro' THEN 'MACRO' ELSE 'MACRO TABLE' END AS kind, function_name AS name
FROM system.main.duckdb_functions()
WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = '_store'
UNION ALL
SELECT 'VIEW', view_name
FROM system.main.duckdb_views()
WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = '_store';
