-- A row: a relation that has another label in paths than the settings give it, or that no tree has, or that is missing.
SELECT 'relation' AS what, text AS row,
    CASE WHEN own.id IS NULL THEN 'no relation' ELSE coalesce(own.label, 'no label') END AS found,
    CASE WHEN again.id IS NULL THEN 'no relation' ELSE coalesce(again.label, 'no label') END AS expected
FROM _store.relation AS own
FULL JOIN "/recount"._store.relation AS again USING (text)
WHERE own.label IS DISTINCT FROM again.label OR own.id IS NULL OR again.id IS NULL;
