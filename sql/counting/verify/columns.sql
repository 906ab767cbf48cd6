-- A row: a column that a table of ours lacks, has beside its own, or has in another type; or a whole table. Tables of
-- metadata have a column for each kind.
-- @expected@: the columns, each with its table and type.
WITH expected AS (
    SELECT unnest(@expected@, recursive := true)
),
found AS (
    SELECT table_name, column_name, data_type
    FROM system.main.duckdb_columns()
    WHERE database_name = system.main.current_database() AND schema_name = '_store'
        AND table_name IN (SELECT table_name FROM expected)
)
SELECT 'table' AS what, table_name || ' ' || column_name AS row, coalesce(found.data_type, 'no column') AS found,
    coalesce(expected.data_type, 'no column') AS expected
FROM found
FULL JOIN expected USING (table_name, column_name)
WHERE found.data_type IS DISTINCT FROM expected.data_type AND NOT coalesce(
    expected.data_type IS NULL AND table_name IN ('document_metadata', 'sentence_metadata')
    AND found.data_type IN ('BIGINT', 'DOUBLE', 'DATE', 'VARCHAR'), false
);
