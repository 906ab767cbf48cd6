-- Evaluation: words of data sets that the lexicon has, and their weights.

-- name: weighed
-- A row: one of the lexemes named that has a weight, or an entry of such a name.
-- @source@: the weights.
SELECT DISTINCT weighed.lexeme
FROM @source@ AS weighed
WHERE weighed.lexeme IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')))
UNION ALL
SELECT entries.entry
FROM entries
WHERE entries.state <> 'hidden' AND entries.entry IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')));

-- name: tokens
-- One row: the number of the lexicon's tokens.
SELECT coalesce(sum(tokens), 0)::BIGINT
FROM _store.corpus;

-- name: known
-- A row: a lexeme that is among the names in $lexemes, or whose lemma is among those in $lemmas, or an entry of such a
-- name; both are JSON.
SELECT lexeme, lemma, pos, frequency
FROM lexemes
WHERE lexeme IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')))
    OR lemma IN (SELECT unnest(from_json($lemmas, '["VARCHAR"]')))
UNION ALL
SELECT entry, regexp_replace(entry, '/[^/]*$', ''), coalesce(pos, ''), 0
FROM entries
WHERE state <> 'hidden' AND entry IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')));

-- name: normal
-- A row: a word of $words, which is JSON, and the word in the form that this lexicon's lexemes are made of.
SELECT word, CASE WHEN $lowercase THEN lower(composed) ELSE composed END AS normal
FROM (
    SELECT word, CASE WHEN $nfc THEN nfc_normalize(word) ELSE word END AS composed
    FROM (SELECT unnest(from_json($words, '["VARCHAR"]')) AS word)
);

-- name: frequencies
-- A row: one of the lexemes in $lexemes, which is JSON, and how many tokens it has.
-- @subcorpus@: the subcorpus that they are counted in, NULL for the whole lexicon.
SELECT text, frequency
FROM _store.lexeme_in(@subcorpus@)
WHERE text IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')));
