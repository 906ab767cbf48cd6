-- A row: a kind of metadata that a store keeps, by the table and its column.
-- @database@: the database of the store, as text.
SELECT table_name, column_name, data_type
FROM system.main.duckdb_columns()
WHERE database_name = @database@ AND schema_name = '_store' AND (
    (table_name = 'document_metadata' AND column_name <> 'document_id')
    OR (table_name = 'sentence_metadata' AND column_name <> 'sentence_id')
)
ORDER BY table_name, column_index;
