-- A row: what hangs on a table of the private schema and is not aptdb's, which has neither: a trigger or an index. With
-- what it is called, and how it is dropped.
SELECT 'trigger ' || trigger_name || ' on ' || schema_name || '.' || table_name AS called,
    format('TRIGGER "{}" ON _store."{}"', replace(trigger_name, '"', '""'), replace(table_name, '"', '""')) AS dropped
FROM system.main.duckdb_triggers()
WHERE database_name = system.main.current_database() AND schema_name = '_store'
UNION ALL
SELECT 'index ' || index_name || ' on ' || schema_name || '.' || table_name,
    format('INDEX _store."{}"', replace(index_name, '"', '""'))
FROM system.main.duckdb_indexes()
WHERE database_name = system.main.current_database() AND schema_name = '_store';
