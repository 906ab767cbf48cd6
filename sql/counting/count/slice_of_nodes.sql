-- A row: a node of the slice likewise, in order. All are numbered anew, on from last_node: what is kept of the old
-- numbers is stale.
CREATE OR REPLACE TEMP TABLE node_of_slice AS
WITH gained AS MATERIALIZED (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM slice GROUP BY lexeme_id, path_id
),
before AS (
    SELECT lexeme_id, path_id, count
    FROM _store.node
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
summed AS (
    SELECT lexeme_id, path_id, coalesce(before.count, 0) + coalesce(gained.count, 0) AS count
    FROM before
    FULL JOIN gained USING (lexeme_id, path_id)
)
SELECT (getvariable('last_node') + row_number() OVER (ORDER BY lexeme_id, path_id))::INTEGER AS id, lexeme_id, path_id,
    count
FROM summed
WHERE count <> 0
ORDER BY lexeme_id, path_id;
