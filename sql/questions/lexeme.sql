-- One row: a lexeme, its two parts, and the number of its tokens. No row where the lexicon lacks it.
SELECT text AS lexeme, lemma, pos, frequency
FROM _store.lexeme
WHERE text = $lexeme;
