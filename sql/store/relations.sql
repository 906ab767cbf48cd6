-- A row: the name of a view or table of the user's own. Ours stand on the store, or are the function of their name; a
-- lexicon that was brought down to an older version still has them.
SELECT lower(view_name)
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main'
    AND NOT contains(sql, '_store.') AND NOT contains(lower(sql), ' from ' || lower(view_name) || '(')
UNION ALL
SELECT lower(table_name)
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main';
