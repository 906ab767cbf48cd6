-- A row: what is said under one name of a document or a sentence of the corpus, by its id. Several values are one text.
CREATE OR REPLACE TABLE _store.settled AS
WITH once AS (
    SELECT level, document, sentence_id, name, value, min(place) AS place
    FROM _store.said
    GROUP BY ALL
)
SELECT once.level, coalesce(once.sentence_id, document.id) AS id, once.name,
    string_agg(once.value, '; ' ORDER BY once.place, once.value) AS value
FROM once
LEFT JOIN _store.document
    ON document.corpus_id = getvariable('corpus_id') AND document.name = once.document
WHERE once.sentence_id IS NOT NULL OR document.id IS NOT NULL
GROUP BY ALL;
