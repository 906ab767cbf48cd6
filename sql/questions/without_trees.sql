-- A row: a corpus that came as counts, and how often it counts the co-occurrence; NULL stands for any. Where the counts
-- are in a folder, they are all of that corpus.
WITH given AS (
    SELECT corpus_id, lexeme_id, path_id, context_id, count FROM _store.given_count
    UNION ALL
    SELECT corpus.id, own.lexeme_id, own.path_id, own.context_id, own.count
    FROM _store.opened
    JOIN _store.corpus ON corpus.kind = 'counts'
    CROSS JOIN _store.cooccurrence AS own
)
SELECT corpus.name, sum(given.count)::BIGINT AS count
FROM given
JOIN _store.corpus ON corpus.id = given.corpus_id
JOIN _store.lexeme ON lexeme.id = given.lexeme_id
JOIN _store.path ON path.id = given.path_id
JOIN _store.lexeme AS context ON context.id = given.context_id
WHERE ($lexeme IS NULL OR lexeme.text = $lexeme) AND ($path IS NULL OR path.text = $path)
    AND ($context IS NULL OR context.text = $context)
GROUP BY corpus.id, corpus.name
ORDER BY corpus.id;
