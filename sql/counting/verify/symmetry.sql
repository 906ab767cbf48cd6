-- A row: a co-occurrence that is counted otherwise from its other end, along the inverse path. Rows are compared one by
-- one for lexemes whose digests differ.
WITH own_digest AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count)::HUGEINT) AS digest
    FROM _store.cooccurrence
    GROUP BY lexeme_id
),
digest_from_contexts AS (
    SELECT other.context_id AS lexeme_id, sum(hash(path.inverse_id, other.lexeme_id, other.count)::HUGEINT) AS digest
    FROM _store.cooccurrence AS other
    JOIN _store.path ON path.id = other.path_id
    GROUP BY other.context_id
),
suspect AS MATERIALIZED (
    SELECT own_digest.lexeme_id
    FROM own_digest
    LEFT JOIN digest_from_contexts ON digest_from_contexts.lexeme_id = own_digest.lexeme_id
    WHERE own_digest.digest IS DISTINCT FROM digest_from_contexts.digest
),
own AS (
    FROM _store.cooccurrence WHERE lexeme_id IN (SELECT lexeme_id FROM suspect)
),
other AS (
    FROM _store.cooccurrence WHERE context_id IN (SELECT lexeme_id FROM suspect)
)
SELECT 'symmetry' AS what, concat_ws(' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text) AS row,
    own.count::VARCHAR AS found, coalesce(other.count, 0)::VARCHAR AS expected
FROM own
JOIN _store.path ON path.id = own.path_id
LEFT JOIN other
    ON other.lexeme_id = own.context_id AND other.path_id = path.inverse_id AND other.context_id = own.lexeme_id
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN _store.lexeme AS context ON context.id = own.context_id
WHERE own.count IS DISTINCT FROM other.count;
