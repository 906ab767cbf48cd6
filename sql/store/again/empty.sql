-- The counts and marginals of the lexicon, as they will be; they take the place of the old ones in the end.
CREATE OR REPLACE TABLE _store.cooccurrence_again (
    lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL, count BIGINT NOT NULL
);
CREATE OR REPLACE TABLE _store.node_again (
    id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, count BIGINT NOT NULL
);
