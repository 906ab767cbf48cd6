-- A row: a column of a table, in its order, and its type.
SELECT column_name, column_type
FROM (
    DESCRIBE
    SELECT * FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true)
);
