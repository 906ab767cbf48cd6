-- A row: what packed nodes of a chunk, or chunks before, add to the count of a co-occurrence, in one direction of its
-- path; any number of rows for one co-occurrence. Empty before the first chunk.
CREATE OR REPLACE TABLE _store.counted (
    lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT
);

-- A row: how many tokens of a lexeme a chunk holds.
CREATE OR REPLACE TABLE _store.counted_lexeme (
    lexeme_id INTEGER, tokens BIGINT
);
