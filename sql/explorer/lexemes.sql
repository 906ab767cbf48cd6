-- A row: one of the most frequent lexemes that are not there for grammar (DET, PUNCT, …), its lemma, and its frequency.
SELECT lexeme.text AS lexeme, lexeme.lemma, lexeme.frequency
FROM _store.lexeme
ANTI JOIN _store.function_pos AS grammar ON grammar.pos = lexeme.pos
ORDER BY lexeme.frequency DESC, lexeme.text ASC
LIMIT $most
