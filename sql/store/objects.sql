-- A row: something that a database holds, the user's own included, as text by which two databases are compared.
-- @database@: the database by name.
SELECT concat_ws(' ', 'table', schema_name, table_name, sql) AS object
FROM duckdb_tables() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(' ', 'view', schema_name, view_name, sql)
FROM duckdb_views() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(
    ' ', function_type, schema_name, function_name, parameters::VARCHAR, parameter_types::VARCHAR, macro_definition
)
FROM duckdb_functions() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(' ', 'index', schema_name, index_name, sql)
FROM duckdb_indexes() WHERE database_name = @database@
UNION ALL
SELECT concat_ws(' ', 'sequence', schema_name, sequence_name, last_value)
FROM duckdb_sequences() WHERE database_name = @database@
UNION ALL
SELECT concat_ws(' ', 'type', schema_name, type_name)
FROM duckdb_types() WHERE database_name = @database@ AND NOT internal
ORDER BY object;
