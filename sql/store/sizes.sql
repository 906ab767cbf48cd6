-- A row: a size of the lexicon by its name.
SELECT 'sentences' AS property, coalesce(sum(sentences), 0)::VARCHAR AS value FROM _store.corpus
UNION ALL
SELECT 'tokens', coalesce(sum(tokens), 0)::VARCHAR FROM _store.corpus
UNION ALL
SELECT 'lexemes', count(*)::VARCHAR FROM _store.lexeme
UNION ALL
SELECT 'paths', count(*)::VARCHAR FROM _store.path
UNION ALL
SELECT 'co-occurrences', count(*)::VARCHAR FROM _store.cooccurrence
UNION ALL
SELECT 'sum of counts', coalesce(sum(count), 0)::VARCHAR FROM _store.path;
