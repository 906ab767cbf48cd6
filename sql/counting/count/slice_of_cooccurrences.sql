-- A row: a co-occurrence of the slice as it will be: first those that were there, in their order, then the new ones in
-- order.
CREATE OR REPLACE TEMP TABLE cooccurrence_of_slice AS
SELECT before.lexeme_id, before.path_id, before.context_id, before.count + coalesce(slice.count, 0) AS count
FROM _store.cooccurrence AS before
LEFT JOIN slice
    ON slice.lexeme_id = before.lexeme_id AND slice.path_id = before.path_id AND slice.context_id = before.context_id
WHERE before.lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    AND before.count + coalesce(slice.count, 0) <> 0
UNION ALL
(
    SELECT slice.lexeme_id, slice.path_id, slice.context_id, slice.count
    FROM slice
    ANTI JOIN (
        SELECT lexeme_id, path_id, context_id
        FROM _store.cooccurrence
        WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    ) AS before
        ON before.lexeme_id = slice.lexeme_id AND before.path_id = slice.path_id
            AND before.context_id = slice.context_id
    ORDER BY slice.lexeme_id, slice.path_id, slice.context_id
);
