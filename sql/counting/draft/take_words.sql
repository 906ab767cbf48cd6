-- Takes over what the lexicon knows already, by the same ids: words and relations as written, lexemes, paths.
-- @store@: the store of the lexicon.
INSERT INTO _store.word FROM @store@.word;

INSERT INTO _store.relation FROM @store@.relation;

INSERT INTO _store.lexeme FROM @store@.lexeme;

INSERT INTO _store.path FROM @store@.path;
