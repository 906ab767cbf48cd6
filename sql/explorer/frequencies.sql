-- A row: one of the lexemes $lexemes, and how many tokens it has in the part $part, or in all where that is NULL.
SELECT text AS lexeme, frequency FROM _store.lexeme_in($part) WHERE list_contains($lexemes, text)
