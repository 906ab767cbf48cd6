-- A row: what has the name already among what users see in this lexicon, or in SQL, so that a weighting cannot. What
-- the lexicon keeps to itself, in _store, and DuckDB's own functions take no names away.
SELECT 'the name of a table or view of this lexicon' AS holder
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(view_name) = $name
UNION ALL
SELECT 'the name of a table or view of this lexicon'
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(table_name) = $name
UNION ALL
SELECT 'the name of a function'
FROM duckdb_functions()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(function_name) = $name
UNION ALL
SELECT 'a word of SQL'
FROM duckdb_keywords()
WHERE keyword_category <> 'unreserved' AND keyword_name = $name
LIMIT 1;
