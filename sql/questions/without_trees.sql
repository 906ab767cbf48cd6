-- A row: a corpus that came as counts, and how often it counts the co-occurrence; NULL stands for any.
SELECT corpus.name, sum(given_count.count)::BIGINT AS count
FROM _store.given_count
JOIN _store.corpus ON corpus.id = given_count.corpus_id
JOIN _store.lexeme ON lexeme.id = given_count.lexeme_id
JOIN _store.path ON path.id = given_count.path_id
JOIN _store.lexeme AS context ON context.id = given_count.context_id
WHERE ($lexeme IS NULL OR lexeme.text = $lexeme) AND ($path IS NULL OR path.text = $path)
    AND ($context IS NULL OR context.text = $context)
GROUP BY corpus.id, corpus.name
ORDER BY corpus.id;
