-- A row: a corpus that came as counts, and how often it counts the co-occurrence.
SELECT corpus.name, given_count.count
FROM _store.given_count
JOIN _store.corpus ON corpus.id = given_count.corpus_id
JOIN _store.lexeme ON lexeme.id = given_count.lexeme_id AND lexeme.text = $lexeme
JOIN _store.path ON path.id = given_count.path_id AND path.text = $path
JOIN _store.lexeme AS context ON context.id = given_count.context_id AND context.text = $context
ORDER BY corpus.id;
