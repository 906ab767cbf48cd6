-- Adds a row for each document of the chunk that is new in its corpus.
INSERT INTO _store.document (id, corpus_id, name)
SELECT getvariable('documents_before') + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY first),
    getvariable('corpus_id'), met.name
FROM (SELECT name, min(number) AS first FROM sentence_document GROUP BY name) AS met
ANTI JOIN (
    SELECT name FROM _store.document WHERE corpus_id = getvariable('corpus_id')
) AS known ON known.name = met.name;
