-- Adds a row for each token of the chunk, as the file says it.
INSERT INTO _store.token (sentence_id, position, word_id, head, relation_id, space_after)
SELECT getvariable('sentences_before') + sentence, position, word_id, head, relation_id, space_after
FROM token
ORDER BY number;
