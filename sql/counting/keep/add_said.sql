-- Adds a row for each comment of the chunk that says something of a document, or of a sentence by one of the names that
-- are wanted.
INSERT INTO _store.said
WITH own AS (
    SELECT line, next_word, name, value,
        (SELECT coalesce(max(place), 0) FROM _store.said) + row_number() OVER (ORDER BY line) AS place
    FROM comment
)
SELECT 'document', document.name, NULL, trim(own.name[7:]), own.value, own.place
FROM own
ASOF JOIN document_start AS document ON own.line >= document.line
WHERE starts_with(own.name, 'meta::') AND length(own.name) > 6 AND own.value IS NOT NULL
UNION ALL
SELECT 'sentence', NULL, getvariable('sentences_before') + span.number, own.name, own.value, own.place
FROM own
JOIN sentence_span AS span ON span.first = own.next_word
WHERE list_contains(getvariable('sentence_meta'), own.name) AND own.value IS NOT NULL;
