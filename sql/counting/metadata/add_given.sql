-- Adds a row for each value that is given for all documents of a corpus, or for one by its name: $given is JSON.
INSERT INTO _store.said
SELECT 'document', coalesce(given.document, document.name), NULL, given.name, given.value, -1
FROM (
    SELECT unnest(from_json($given, '[{"document": "VARCHAR", "name": "VARCHAR", "value": "VARCHAR"}]'), max_depth := 2)
) AS given
JOIN _store.document
    ON document.corpus_id = getvariable('corpus_id') AND document.name = coalesce(given.document, document.name);
