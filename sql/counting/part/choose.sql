-- A row: a sentence that a condition holds of, by its id.
-- @condition@: the condition on the relations below.
-- @store@: the store that they are in.
SELECT sentence.id AS sentence_id
FROM @store@.sentence
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN @store@.document ON document.id = sentence.document_id
LEFT JOIN @store@.document_metadata AS of_document ON of_document.document_id = sentence.document_id
LEFT JOIN @store@.sentence_metadata AS of_sentence ON of_sentence.sentence_id = sentence.id
WHERE @condition@;
