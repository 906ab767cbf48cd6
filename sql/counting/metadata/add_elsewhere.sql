-- A row: a value that a table has under a name, of whatever document: $given is JSON.
CREATE OR REPLACE TABLE _store.elsewhere AS
SELECT 'document' AS level, given.name, given.value
FROM (
    SELECT unnest(from_json($given, '[{"document": "VARCHAR", "name": "VARCHAR", "value": "VARCHAR"}]'), max_depth := 2)
) AS given
WHERE given.document IS NOT NULL;
