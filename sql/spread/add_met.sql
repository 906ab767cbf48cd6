-- Adds a row for each word and relation that tokens of the chunk have.
INSERT INTO _store.met (word_id, relation_id, tokens)
SELECT word_id, relation_id, count(*)
FROM token
GROUP BY word_id, relation_id;
