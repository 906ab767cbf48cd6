-- One row: the first column of a file of a folder of counts that is lacking or has another type; no row if none is.
-- @files@: the files of one table.
-- @expected@: its columns, each with its type.
WITH expected AS (
    SELECT unnest(@expected@, recursive := true)
),
file AS (
    SELECT unnest(@files@) AS file_name
),
found AS (
    SELECT file_name, name, duckdb_type FROM parquet_schema(@files@)
)
SELECT file.file_name, expected.name, coalesce(found.duckdb_type, 'no column') AS found, expected.type AS expected
FROM file
CROSS JOIN expected
LEFT JOIN found ON found.file_name = file.file_name AND found.name = expected.name
WHERE found.duckdb_type IS DISTINCT FROM expected.type
ORDER BY file.file_name, expected.name
LIMIT 1;
