-- A row: the total of a path, or of a lexeme, that is not the sum of its counts.
SELECT 'total of the path' AS what, coalesce(nullif(path.text, ''), 'ε') AS row, path.count::VARCHAR AS found,
    coalesce(summed.count, 0)::VARCHAR AS expected
FROM _store.path
LEFT JOIN (SELECT path_id, sum(count) AS count FROM _store.cooccurrence GROUP BY path_id) AS summed
    ON summed.path_id = path.id
WHERE path.count IS DISTINCT FROM summed.count
UNION ALL
SELECT 'total of the lexeme', lexeme.text, lexeme.cooccurrences::VARCHAR, coalesce(summed.count, 0)::VARCHAR
FROM _store.lexeme
LEFT JOIN (SELECT lexeme_id, sum(count) AS count FROM _store.cooccurrence GROUP BY lexeme_id) AS summed
    ON summed.lexeme_id = lexeme.id
WHERE lexeme.cooccurrences IS DISTINCT FROM coalesce(summed.count, 0);
