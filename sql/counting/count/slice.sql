-- A row: a co-occurrence of a slice, the lexemes from first_lexeme to last_lexeme, as it will be, in the order that
-- makes the counts their own index.
CREATE OR REPLACE TEMP VIEW cooccurrence_of_slice AS
WITH before AS (
    SELECT lexeme_id, path_id, context_id, count
    FROM _store.cooccurrence
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
gained AS (
    SELECT lexeme_id, path_id, context_id, count
    FROM added
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
summed AS (
    SELECT lexeme_id, path_id, context_id, coalesce(before.count, 0) + coalesce(gained.count, 0) AS count
    FROM before
    FULL JOIN gained USING (lexeme_id, path_id, context_id)
)
SELECT lexeme_id, path_id, context_id, count
FROM summed
WHERE count <> 0
ORDER BY lexeme_id, path_id, context_id;

-- A row: a node of the slice whose co-occurrences are written. All nodes are numbered anew, on from last_node: what is
-- kept of the old numbers is stale.
CREATE OR REPLACE TEMP VIEW node_of_slice AS
SELECT (getvariable('last_node') + row_number() OVER (ORDER BY lexeme_id, path_id))::INTEGER AS id, lexeme_id, path_id,
    sum(count)::BIGINT AS count
FROM _store.cooccurrence_again
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
GROUP BY lexeme_id, path_id
ORDER BY lexeme_id, path_id;
