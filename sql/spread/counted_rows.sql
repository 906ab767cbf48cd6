-- A row: how often a lexeme meets a context along a path, in the sentences of a round. Of a path and its inverse, which
-- have the same counts, it is the one whose text comes first. Where path is NULL: a lexeme, and how many tokens it has.
WITH named AS (
    SELECT lexeme.text AS lexeme, path.text AS path, inverse.text AS inverse, context.text AS context, counted.count
    FROM _store.counted
    JOIN _store.lexeme ON lexeme.id = counted.lexeme_id
    JOIN _store.path ON path.id = counted.path_id
    JOIN _store.path AS inverse ON inverse.id = path.inverse_id
    JOIN _store.lexeme AS context ON context.id = counted.context_id
)
SELECT CASE WHEN path <= inverse THEN lexeme ELSE context END AS lexeme, least(path, inverse) AS path,
    CASE WHEN path <= inverse THEN context ELSE lexeme END AS context, count
FROM named
UNION ALL
SELECT lexeme.text, NULL, NULL, sum(counted_lexeme.tokens)::BIGINT
FROM _store.counted_lexeme
JOIN _store.lexeme ON lexeme.id = counted_lexeme.lexeme_id
GROUP BY lexeme.text;
