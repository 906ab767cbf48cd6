-- A row: a row of a table, each cell as text, '' where there is none.
-- @file@: the file of the table.
SELECT coalesce(COLUMNS(*)::VARCHAR, '') FROM read_parquet(@file@);
