-- A row: a part of speech of the lexemes, that of most tokens first.
-- @part@: the part of the corpora that is asked of, or NULL.
SELECT pos FROM _store.lexeme_in(@part@) GROUP BY pos ORDER BY sum(frequency) DESC, pos ASC;
