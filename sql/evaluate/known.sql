-- A row: a lexeme that is among the names in $lexemes, or whose lemma is among those in $lemmas; both are JSON.
SELECT lexeme, lemma, pos, frequency
FROM lexemes
WHERE lexeme IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')))
    OR lemma IN (SELECT unnest(from_json($lemmas, '["VARCHAR"]')));
