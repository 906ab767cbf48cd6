-- A row: a value that sentences have, or none (NULL), and how many do. (A kind of metadata may be called value too.)
-- @kind@: the column, of one of the relations below.
SELECT @kind@ AS value, count(*) AS sentences
FROM _store.sentence
JOIN _store.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN _store.document ON document.id = sentence.document_id
LEFT JOIN _store.document_metadata AS of_document ON of_document.document_id = sentence.document_id
LEFT JOIN _store.sentence_metadata AS of_sentence ON of_sentence.sentence_id = sentence.id
GROUP BY ALL
ORDER BY 1;
