-- A row: a count of a corpus without trees that is below one, or is another from its other end, along the inverse path;
-- or a lexeme of one that has no tokens beside its counts, or tokens without them.
SELECT 'given count' AS what, concat_ws(
        ' ', corpus.name || ':', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text
    ) AS row, own.count::VARCHAR AS found,
    CASE WHEN own.count < 1 THEN '1 or more' ELSE coalesce(other.count, 0)::VARCHAR END AS expected
FROM _store.given_count AS own
JOIN _store.corpus ON corpus.id = own.corpus_id
JOIN _store.path ON path.id = own.path_id
JOIN _store.lexeme ON lexeme.id = own.lexeme_id
JOIN _store.lexeme AS context ON context.id = own.context_id
LEFT JOIN _store.given_count AS other
    ON other.corpus_id = own.corpus_id AND other.lexeme_id = own.context_id AND other.path_id = path.inverse_id
    AND other.context_id = own.lexeme_id
WHERE own.count IS DISTINCT FROM other.count OR own.count < 1
UNION ALL
SELECT 'given lexeme', concat_ws(' ', corpus.name || ':', lexeme.text), coalesce(said.tokens, 0) || ' tokens',
    CASE WHEN met.lexeme_id IS NULL THEN 'no tokens' ELSE '1 or more' END
FROM _store.given_lexeme AS said
FULL JOIN (SELECT DISTINCT corpus_id, lexeme_id FROM _store.given_count) AS met
    ON met.corpus_id = said.corpus_id AND met.lexeme_id = said.lexeme_id
JOIN _store.corpus ON corpus.id = coalesce(met.corpus_id, said.corpus_id)
JOIN _store.lexeme ON lexeme.id = coalesce(met.lexeme_id, said.lexeme_id)
WHERE met.lexeme_id IS NULL OR said.tokens IS NULL OR said.tokens < 1;
