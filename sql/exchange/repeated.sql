-- A row: a lexeme and a feature that have more than one weight.
SELECT lexeme.text AS lexeme, coalesce(nullif(path.text, ''), 'ε') AS path, context.text AS context
FROM (
    SELECT lexeme, path, context FROM _staged_weight GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 1
) AS twice
JOIN _staged_word AS lexeme ON lexeme.place = twice.lexeme
JOIN _staged_path AS path ON path.place = twice.path
JOIN _staged_word AS context ON context.place = twice.context;
