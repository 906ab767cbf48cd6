-- What Python asks of a lexicon about patterns.

-- name: columns_of_key
-- A row: feats or misc, where some token has this key in it.
-- $key: the key.
SELECT 'feats' AS part
WHERE EXISTS (
    FROM (SELECT DISTINCT feats FROM _store.word) AS known
    WHERE _store.value_of_key(known.feats, $key) IS NOT NULL
)
UNION ALL
SELECT 'misc'
WHERE EXISTS (FROM _store.annotation WHERE _store.value_of_key(text, $key) IS NOT NULL);

-- name: sentences
-- One row: the ids of the sentences with a match, as one text; NULL where there is none.
-- @pattern@: the pattern, as pattern('…').
SELECT string_agg(found.sentence_id, ',') AS ids
FROM (SELECT DISTINCT sentence_id FROM _store.pattern_hit(_store.pattern_asked(@pattern@), NULL)) AS found;
