-- A row: a lexeme of the lexicon, the most frequent first.
SELECT text AS lexeme
FROM _store.lexeme
ORDER BY frequency DESC, text ASC;
