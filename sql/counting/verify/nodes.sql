-- A row: a marginal, of a lexeme and a path, that is not the sum of its counts.
WITH summed AS (
    SELECT lexeme_id, path_id, sum(count) AS count
    FROM _store.cooccurrence
    GROUP BY ALL
),
noted AS (
    SELECT lexeme_id, path_id, sum(count) AS count, count(*) AS rows
    FROM _store.node
    GROUP BY ALL
)
SELECT 'marginal' AS what, concat_ws(
        ' ', coalesce(lexeme.text, 'lexeme ' || coalesce(noted.lexeme_id, summed.lexeme_id)),
        coalesce(nullif(path.text, ''), 'ε')
    ) AS row,
    coalesce(noted.count, 0)::VARCHAR
    || CASE WHEN noted.rows > 1 THEN ' in ' || noted.rows || ' rows' ELSE '' END AS found,
    coalesce(summed.count, 0)::VARCHAR AS expected
FROM noted
FULL JOIN summed ON summed.lexeme_id = noted.lexeme_id AND summed.path_id = noted.path_id
LEFT JOIN _store.lexeme ON lexeme.id = coalesce(noted.lexeme_id, summed.lexeme_id)
LEFT JOIN _store.path ON path.id = coalesce(noted.path_id, summed.path_id)
WHERE noted.count IS DISTINCT FROM summed.count OR noted.rows > 1;
