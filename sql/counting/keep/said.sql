-- A row: something that is said of a document, by its name, or of a sentence, by its number; in the order in which it
-- is said. Filled chunk by chunk.
CREATE OR REPLACE TABLE _store.said (
    level VARCHAR, document VARCHAR, sentence_id INTEGER, name VARCHAR, value VARCHAR, place BIGINT
);
