-- A row: a sentence of the part that is counted.
-- @choice@: the statement that gives the ids of its sentences.
CREATE OR REPLACE TABLE _store.chosen_sentence AS
FROM (@choice@);
