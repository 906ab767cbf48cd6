-- A row: a lexeme with the lemma $lemma, the most frequent first.
SELECT text AS lexeme FROM _store.lexeme WHERE lemma = $lemma ORDER BY frequency DESC, text ASC LIMIT $most
