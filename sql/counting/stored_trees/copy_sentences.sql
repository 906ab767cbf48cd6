-- Adds a row for each stored sentence that was read, with its sent_id.
-- @store@: the store that the sentences are in.
INSERT INTO _store.sentence (id, corpus_id, sent_id)
SELECT getvariable('sentences_before') + span.number, getvariable('corpus_id'), sentence.sent_id
FROM sentence_span AS span
JOIN @store@.sentence ON sentence.id = span.sentence_id
ORDER BY span.number;
