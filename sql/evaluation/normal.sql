-- A row: a word of $words, which is JSON, and the word in the form that this lexicon's lexemes are made of.
SELECT word, CASE WHEN $lowercase THEN lower(composed) ELSE composed END AS normal
FROM (
    SELECT word, CASE WHEN $nfc THEN nfc_normalize(word) ELSE word END AS composed
    FROM (SELECT unnest(from_json($words, '["VARCHAR"]')) AS word)
);
