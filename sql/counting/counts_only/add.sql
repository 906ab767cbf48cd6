-- Adds a row for each lexeme that the corpus is the first to have.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences)
SELECT (SELECT coalesce(max(id), 0) FROM _store.lexeme) + row_number() OVER (ORDER BY met.lexeme),
    met.lexeme,
    CASE WHEN getvariable('has_pos') THEN regexp_replace(met.lexeme, '/[^/]*$', '') ELSE met.lexeme END,
    CASE WHEN getvariable('has_pos') THEN regexp_extract(met.lexeme, '[^/]*$') END,
    0, 0
FROM (SELECT DISTINCT lexeme FROM counts_text) AS met
ANTI JOIN _store.lexeme ON lexeme.text = met.lexeme;

-- Adds a row for each path that the corpus is the first to have. It has the inverse of each, being symmetric.
INSERT INTO _store.path (id, text, path_order, inverse_id, count)
WITH numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY counts_path.text) AS id,
        counts_path.text, counts_path.inverse, counts_path.path_order
    FROM counts_path
    ANTI JOIN _store.path ON path.text = counts_path.text
)
SELECT numbered.id, numbered.text, numbered.path_order, inverse.id, 0
FROM numbered
JOIN numbered AS inverse ON inverse.text = numbered.inverse;

-- Adds a row for each co-occurrence of the corpus corpus_id.
INSERT INTO _store.given_count (corpus_id, lexeme_id, path_id, context_id, count)
SELECT getvariable('corpus_id'), lexeme.id AS lexeme_id, path.id AS path_id, context.id AS context_id,
    counts_text.count::BIGINT
FROM counts_text
JOIN _store.lexeme ON lexeme.text = counts_text.lexeme
JOIN _store.path ON path.text = counts_text.path
JOIN _store.lexeme AS context ON context.text = counts_text.context
ORDER BY lexeme_id, path_id, context_id;
