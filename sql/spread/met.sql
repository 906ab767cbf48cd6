-- A row: a word and a relation that tokens of a chunk have, and how many do, one chunk after another.
CREATE TABLE _store.met (word_id INTEGER, relation_id INTEGER, tokens BIGINT);
