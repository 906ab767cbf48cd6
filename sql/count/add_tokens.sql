-- Adds a row for each token of the chunk, as the file says it.
INSERT INTO _store.token (sentence_id, position, word_id, head, relation_id, space_after)
SELECT getvariable('sentences_before') + sentence_span.number, token.position, token.word_id, token.head,
    token.relation_id, token.space_after
FROM token
JOIN sentence_span ON sentence_span.first = token.sentence_first
ORDER BY token.number;
