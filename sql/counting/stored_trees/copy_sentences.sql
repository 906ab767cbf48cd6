-- Adds a row for each stored sentence that was read, with its sent_id and its document.
-- @store@: the store that the sentences are in.
INSERT INTO _store.sentence (id, corpus_id, sent_id, document_id)
SELECT getvariable('sentences_before') + span.number, getvariable('corpus_id'), sentence.sent_id,
    own.id
FROM sentence_span AS span
JOIN @store@.sentence ON sentence.id = span.sentence_id
LEFT JOIN @store@.document AS theirs ON theirs.id = sentence.document_id
LEFT JOIN _store.document AS own ON own.corpus_id = getvariable('corpus_id') AND own.name = theirs.name
ORDER BY span.number;
