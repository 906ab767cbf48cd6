-- A row: a relation, a part of speech or a feature as files write it, its kind, and the number of tokens that have it.
-- @tokens@: the tokens that are looked at: word_id, relation_id, and how many are alike.
WITH token AS (
    SELECT word_id, relation_id, tokens FROM @tokens@
)
SELECT 'relation' AS kind, relation.text AS name, sum(token.tokens)::BIGINT AS tokens
FROM token
JOIN _store.relation ON relation.id = token.relation_id
GROUP BY ALL
UNION ALL
SELECT 'part of speech', word.upos, sum(token.tokens)::BIGINT
FROM token
JOIN _store.word ON word.id = token.word_id
GROUP BY ALL
UNION ALL
SELECT 'xpos', word.xpos, sum(token.tokens)::BIGINT
FROM token
JOIN _store.word ON word.id = token.word_id
GROUP BY ALL
UNION ALL
SELECT 'feature', name, sum(tokens)::BIGINT
FROM (
    SELECT split_part(unnest(string_split(word.feats, '|')), '=', 1) AS name, token.tokens
    FROM (SELECT word_id, sum(tokens) AS tokens FROM token GROUP BY word_id) AS token
    JOIN _store.word ON word.id = token.word_id
    WHERE contains(word.feats, '=')
)
GROUP BY ALL;
