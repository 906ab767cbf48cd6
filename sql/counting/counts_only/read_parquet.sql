-- A row: a row of a Parquet file of counts, by its number, as text.
CREATE OR REPLACE TEMP TABLE counts_line AS
SELECT row_number() OVER () AS line, 4 AS columns, lexeme::VARCHAR AS lexeme, path::VARCHAR AS path,
    context::VARCHAR AS context, count::VARCHAR AS count
FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true);
