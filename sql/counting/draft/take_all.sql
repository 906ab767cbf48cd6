-- Takes over what the lexicon knows already, by the same ids.
-- @own@: the store of the lexicon.
-- @table@: word, relation, lexeme or path.
INSERT INTO _store.@table@ FROM @own@.@table@;
