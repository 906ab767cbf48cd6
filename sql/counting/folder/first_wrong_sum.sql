-- One row: the first lexeme or path of the folder whose count is not the sum of its nodes; no row if all are.
WITH by_lexeme AS (
    SELECT lexeme_id, sum(count) AS count FROM folder_node GROUP BY lexeme_id
),
by_path AS (
    SELECT path_id, sum(count) AS count FROM folder_node GROUP BY path_id
)
SELECT what, text, said, summed
FROM (
    SELECT 'lexeme' AS what, own.lexeme AS text, own.cooccurrences AS said, coalesce(by_lexeme.count, 0) AS summed
    FROM folder_lexeme AS own
    LEFT JOIN by_lexeme ON by_lexeme.lexeme_id = own.lexeme_id
    UNION ALL
    SELECT 'path', coalesce(nullif(own.path, ''), 'ε'), own.count, coalesce(by_path.count, 0)
    FROM folder_path AS own
    LEFT JOIN by_path ON by_path.path_id = own.path_id
)
WHERE said <> summed
ORDER BY what, text
LIMIT 1;
