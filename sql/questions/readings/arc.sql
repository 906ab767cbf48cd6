-- A row: a relation along which one of $lexemes may be the head of another: how often it is counted so (count), and how
-- often it would be by chance, from how often either meets anything along the relation (expected).
WITH asked AS MATERIALIZED (
    SELECT unnest($lexemes::INTEGER[]) AS id
),
down AS MATERIALIZED (
    SELECT id, inverse_id, text[2:] AS relation, count FROM _store.path WHERE path_order = 1 AND starts_with(text, '>')
),
node AS MATERIALIZED (
    SELECT lexeme_id, path_id, count FROM _store.node WHERE lexeme_id IN (SELECT id FROM asked)
),
counted AS MATERIALIZED (
    SELECT lexeme_id, path_id, context_id, count
    FROM _store.cooccurrence
    WHERE lexeme_id IN (SELECT id FROM asked) AND context_id IN (SELECT id FROM asked)
)
SELECT head.lexeme_id AS head, dependent.lexeme_id AS dependent, down.relation, coalesce(counted.count, 0) AS count,
    head.count * dependent.count / down.count AS expected
FROM down
JOIN node AS head ON head.path_id = down.id
JOIN node AS dependent ON dependent.path_id = down.inverse_id
LEFT JOIN counted
    ON counted.lexeme_id = head.lexeme_id AND counted.path_id = down.id AND counted.context_id = dependent.lexeme_id
ORDER BY ALL;
