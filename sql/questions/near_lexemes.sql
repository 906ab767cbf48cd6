-- One row: the lexemes that a name which the lexicon lacks may have meant, as text; NULL where there are none.
SELECT string_agg(text, ', ' ORDER BY rank ASC) AS names
FROM _store.near_lexeme($lexeme, NULL)
WHERE rank <= 5;
