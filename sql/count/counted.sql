-- A row: what one chunk counted of a co-occurrence, in one direction of its path; empty before the first chunk.
CREATE OR REPLACE TEMP TABLE counted (
    lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT
);
