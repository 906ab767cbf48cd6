-- Adds a row for each lexeme of the chunk.
INSERT INTO _store.counted_lexeme
SELECT lexeme_id, sum(tokens) FROM node_lexeme GROUP BY lexeme_id;
