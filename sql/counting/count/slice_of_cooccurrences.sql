-- A row: a co-occurrence of the slice as it will be, in the order that makes the counts their own index.
CREATE OR REPLACE TEMP TABLE cooccurrence_of_slice AS
WITH before AS (
    SELECT lexeme_id, path_id, context_id, count
    FROM _store.cooccurrence
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
summed AS (
    SELECT lexeme_id, path_id, context_id, coalesce(before.count, 0) + coalesce(slice.count, 0) AS count
    FROM before
    FULL JOIN slice USING (lexeme_id, path_id, context_id)
)
SELECT lexeme_id, path_id, context_id, count
FROM summed
WHERE count <> 0
ORDER BY lexeme_id, path_id, context_id;
