-- Adds a row for each lexeme that the chunk is the first to have. The last / separates lemma or form from part of
-- speech, in lexemes that are made with one.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences)
SELECT (SELECT coalesce(max(id), 0) FROM _store.lexeme) + row_number() OVER (ORDER BY lexeme),
    lexeme,
    CASE WHEN getvariable('has_pos') THEN regexp_replace(lexeme, '/[^/]*$', '') ELSE lexeme END,
    CASE WHEN getvariable('has_pos') THEN regexp_extract(lexeme, '[^/]*$') END,
    0, 0
FROM (SELECT DISTINCT lexeme FROM new_lexeme WHERE lexeme IS NOT NULL) AS met
ANTI JOIN _store.lexeme ON lexeme.text = met.lexeme;
