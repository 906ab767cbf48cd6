-- One row: the first row of a file of co-occurrences that does not come after the row before it, by number; or no row.
-- Rows without ids are found elsewhere. A lag without order is that of the file, and needs neither sorting nor memory.
-- @file@: the file.
SELECT file_row_number + 1 AS row
FROM (
    SELECT file_row_number, lexeme_id, path_id, context_id, lag(lexeme_id) OVER () AS lexeme_before,
        lag(path_id) OVER () AS path_before, lag(context_id) OVER () AS context_before
    FROM read_parquet(@file@, hive_partitioning = false, file_row_number = true)
)
WHERE lexeme_id < lexeme_before OR (
    lexeme_id = lexeme_before AND (
        path_id < path_before OR (path_id = path_before AND context_id <= context_before)
    )
)
ORDER BY row
LIMIT 1;
