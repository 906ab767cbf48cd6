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

-- name: unmet
-- A row: a plain value of an attribute that is asked for ($tests, as JSON) and that no token has.
WITH asked AS MATERIALIZED (
    SELECT unnest(from_json($tests, '[{"attribute": "VARCHAR", "value": "VARCHAR"}]'), recursive := true)
),
known (attribute, value) AS (
    SELECT 'form', lower(_store.letters_of(form)) FROM _store.word WHERE 'form' IN (SELECT attribute FROM asked)
    UNION
    SELECT 'lemma', lemma FROM _store.word WHERE 'lemma' IN (SELECT attribute FROM asked)
    UNION
    SELECT 'upos', upos FROM _store.word WHERE 'upos' IN (SELECT attribute FROM asked)
    UNION
    SELECT 'xpos', xpos FROM _store.word WHERE 'xpos' IN (SELECT attribute FROM asked)
    UNION
    SELECT 'lexeme', text FROM _store.lexeme WHERE 'lexeme' IN (SELECT attribute FROM asked)
    UNION
    SELECT 'deprel', text FROM _store.relation
    UNION
    SELECT own.attribute, _store.value_of_key(word.feats, own.attribute[7:])
    FROM (SELECT DISTINCT feats FROM _store.word) AS word
    CROSS JOIN (SELECT DISTINCT attribute FROM asked WHERE starts_with(attribute, 'feats.')) AS own
)
SELECT DISTINCT asked.attribute, asked.value
FROM asked
ANTI JOIN known
    ON known.attribute = asked.attribute
    AND known.value = CASE
        WHEN asked.attribute = 'form' THEN lower(_store.letters_of(asked.value)) ELSE asked.value
    END
WHERE asked.attribute IN ('form', 'lemma', 'upos', 'xpos', 'lexeme', 'deprel') OR starts_with(asked.attribute, 'feats.')
ORDER BY asked.attribute ASC, asked.value ASC;
