-- Adds a row for each sentence of the chunk, with the sent_id of the comments right before it, and its document.
INSERT INTO _store.sentence (id, corpus_id, sent_id, document_id)
WITH sent_id AS (
    SELECT next_word AS first, arg_max(value, line) AS sent_id FROM comment WHERE name = 'sent_id' GROUP BY next_word
)
SELECT getvariable('sentences_before') + sentence_span.number, getvariable('corpus_id'), sent_id.sent_id, document.id
FROM sentence_span
JOIN sentence_document ON sentence_document.number = sentence_span.number
JOIN _store.document
    ON document.corpus_id = getvariable('corpus_id') AND document.name = sentence_document.name
LEFT JOIN sent_id ON sent_id.first = sentence_span.first
ORDER BY sentence_span.number;
