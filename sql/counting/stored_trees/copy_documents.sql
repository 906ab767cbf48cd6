-- Adds a row for each document of the corpus $corpus that is read, as one of corpus_id here.
-- @store@: the store that it is in.
INSERT INTO _store.document (id, corpus_id, name)
SELECT $before + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY id),
    getvariable('corpus_id'), name
FROM @store@.document
WHERE corpus_id = $corpus;
