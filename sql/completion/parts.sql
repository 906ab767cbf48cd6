-- A row: a part of the corpora, and its condition.
SELECT name, condition
FROM _store.part
ORDER BY name
