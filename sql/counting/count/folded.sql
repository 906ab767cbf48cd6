-- A row: what counted has of a co-occurrence, summed. Empty at first.
CREATE OR REPLACE TABLE _store.folded (
    lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT
);
