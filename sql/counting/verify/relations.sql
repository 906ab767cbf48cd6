-- A row: a relation that has another label in paths than the settings give it.
SELECT 'relation' AS what, own.text AS row, coalesce(own.label, 'no label') AS found,
    coalesce(again.label, 'no label') AS expected
FROM _store.relation AS own
JOIN "/recount"._store.relation AS again ON again.text = own.text
WHERE own.label IS DISTINCT FROM again.label;
