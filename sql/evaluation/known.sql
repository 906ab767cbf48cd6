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
