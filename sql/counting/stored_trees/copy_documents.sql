-- Adds a row for each document of the corpus $corpus that is read, as one of corpus_id here.
-- @store@: the store that it is in.
-- @chosen@: which of its sentences are taken, as a condition on token.sentence_id.
INSERT INTO _store.document (id, corpus_id, name)
SELECT $before + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY id),
    getvariable('corpus_id'), name
FROM @store@.document
WHERE corpus_id = $corpus AND id IN (
    SELECT document_id FROM (SELECT id AS sentence_id, document_id FROM @store@.sentence) AS token WHERE @chosen@
);
