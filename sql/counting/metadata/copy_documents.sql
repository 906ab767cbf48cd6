-- Adds what the attached lexicon says of the documents of its corpus $corpus, which is $own here.
INSERT INTO _store.document_metadata BY NAME
SELECT own.id AS document_id, said.* EXCLUDE (document_id)
FROM "/other"._store.document_metadata AS said
JOIN "/other"._store.document AS theirs ON theirs.id = said.document_id AND theirs.corpus_id = $corpus
JOIN _store.document AS own ON own.corpus_id = $own AND own.name = theirs.name
ORDER BY own.id;
