-- A row: a document of another corpus than a sentence of it.
SELECT 'sentence' AS what, sentence.id || ' of ' || corpus.name AS row, 'in a document of ' || other.name AS found,
    'in one of its own corpus' AS expected
FROM _store.sentence
JOIN _store.document ON document.id = sentence.document_id AND document.corpus_id <> sentence.corpus_id
JOIN _store.corpus ON corpus.id = sentence.corpus_id
JOIN _store.corpus AS other ON other.id = document.corpus_id;
