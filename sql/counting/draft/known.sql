-- One row: how many words, relations, lexemes and paths a store has.
-- @store@: the store.
SELECT (SELECT count(*) FROM @store@.word), (SELECT count(*) FROM @store@.relation),
    (SELECT count(*) FROM @store@.lexeme), (SELECT count(*) FROM @store@.path);
