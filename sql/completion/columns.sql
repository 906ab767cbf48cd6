-- A row: a column that says something of documents or sentences, and of which.
SELECT column_name, replace(table_name, '_metadata', '') AS of
FROM duckdb_columns()
WHERE
    schema_name = '_store'
    AND table_name IN ('document_metadata', 'sentence_metadata')
    AND column_name NOT IN ('document_id', 'sentence_id')
ORDER BY table_name, column_index
