-- A row: a named weighting, and its scheme.
SELECT name, scheme
FROM _store.weighting
ORDER BY name
