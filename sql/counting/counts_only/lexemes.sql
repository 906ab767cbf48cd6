-- Adds a row for each lexeme of the corpus corpus_id, with the tokens that it is taken for: how often it meets itself
-- at ε, where each token does (like siblings too, as packed trees have it); in counts without ε, the most that it is
-- counted in any one co-occurrence.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), given_count.lexeme_id, coalesce(
        max(given_count.count) FILTER (path.text = '' AND given_count.context_id = given_count.lexeme_id),
        max(given_count.count)
    )
FROM _store.given_count
JOIN _store.path ON path.id = given_count.path_id
WHERE given_count.corpus_id = getvariable('corpus_id')
GROUP BY given_count.lexeme_id
ORDER BY given_count.lexeme_id;
