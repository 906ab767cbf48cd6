-- A row: a node of the slice likewise. A new node is numbered on from last_id.
CREATE OR REPLACE TEMP TABLE node_of_slice AS
WITH gained AS MATERIALIZED (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM slice GROUP BY lexeme_id, path_id
)
SELECT before.id, before.lexeme_id, before.path_id, before.count + coalesce(gained.count, 0) AS count
FROM _store.node AS before
LEFT JOIN gained ON gained.lexeme_id = before.lexeme_id AND gained.path_id = before.path_id
WHERE before.lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    AND before.count + coalesce(gained.count, 0) <> 0
UNION ALL
(
    SELECT (getvariable('last_id') + row_number() OVER (ORDER BY gained.lexeme_id, gained.path_id))::INTEGER,
        gained.lexeme_id, gained.path_id, gained.count
    FROM gained
    ANTI JOIN (
        SELECT lexeme_id, path_id
        FROM _store.node
        WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    ) AS before ON before.lexeme_id = gained.lexeme_id AND before.path_id = gained.path_id
    ORDER BY gained.lexeme_id, gained.path_id
);
