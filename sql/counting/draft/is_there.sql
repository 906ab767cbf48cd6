-- One row: whether a lexicon is there already; one that is only being made cannot be seen from beside it.
SELECT count(*) > 0 AS is_there
FROM duckdb_tables()
WHERE database_name = $lexicon AND schema_name = '_store' AND table_name = 'word';
