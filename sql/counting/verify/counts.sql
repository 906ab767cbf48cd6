-- A row: a co-occurrence that is counted otherwise than its trees, or the counts that came without trees, come to. Rows
-- are compared one by one for lexemes whose digests differ.
WITH counted_again AS NOT MATERIALIZED (
    SELECT lexeme.own_id AS lexeme_id, path.own_id AS path_id, context.own_id AS context_id, counted.count,
        lexeme.text AS lexeme, path.text AS path, context.text AS context
    FROM "/recount"._store.cooccurrence AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    JOIN lexeme_id AS context ON context.again_id = counted.context_id
),
own_digest AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count)::HUGEINT) AS digest
    FROM _store.cooccurrence
    GROUP BY lexeme_id
),
digest_again AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count)::HUGEINT) AS digest
    FROM counted_again
    GROUP BY lexeme_id
),
suspect AS MATERIALIZED (
    SELECT coalesce(own_digest.lexeme_id, digest_again.lexeme_id) AS lexeme_id
    FROM own_digest
    FULL JOIN digest_again ON digest_again.lexeme_id = own_digest.lexeme_id
    WHERE own_digest.digest IS DISTINCT FROM digest_again.digest
),
own AS (
    SELECT lexeme_id, path_id, context_id, sum(count) AS count, count(*) AS rows
    FROM _store.cooccurrence
    WHERE lexeme_id IN (SELECT lexeme_id FROM suspect)
    GROUP BY ALL
),
again AS (
    SELECT counted_again.*
    FROM counted_again
    SEMI JOIN suspect ON suspect.lexeme_id IS NOT DISTINCT FROM counted_again.lexeme_id
)
SELECT 'count' AS what, concat_ws(
        ' ', coalesce(again.lexeme, lexeme.text, 'lexeme ' || own.lexeme_id),
        coalesce(nullif(coalesce(again.path, path.text), ''), 'ε'),
        coalesce(again.context, context.text, 'lexeme ' || own.context_id)
    ) AS row,
    coalesce(own.count, 0)::VARCHAR || CASE WHEN own.rows > 1 THEN ' in ' || own.rows || ' rows' ELSE '' END AS found,
    coalesce(again.count, 0)::VARCHAR AS expected
FROM own
FULL JOIN again
    ON again.lexeme_id = own.lexeme_id AND again.path_id = own.path_id AND again.context_id = own.context_id
LEFT JOIN lexeme_id AS lexeme ON lexeme.own_id = own.lexeme_id
LEFT JOIN path_id AS path ON path.own_id = own.path_id
LEFT JOIN lexeme_id AS context ON context.own_id = own.context_id
WHERE own.count IS DISTINCT FROM again.count OR own.rows > 1;
