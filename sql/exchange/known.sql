-- A row: a lexeme of the lexicon, which may be a context too.
-- @weights@: the weights by name.
-- @options@: the parameters of their scheme.
CREATE TEMP VIEW _named_word AS SELECT id, text FROM _store.lexeme;

-- A row: a path of the lexicon.
CREATE TEMP VIEW _named_path AS SELECT id, text FROM _store.path;

-- A row: the weight of one co-occurrence, kept or under a built-in scheme, by ids.
CREATE TEMP VIEW _named_weight AS
SELECT lexeme_id, path_id, context_id, weight
FROM _store.known_weights('_store.every_lexeme', false, @weights@, _store.scheme(@weights@), @options@);
