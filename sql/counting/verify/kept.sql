-- A row: a weighting whose weights are kept and of today.
SELECT id, name, scheme, phi
FROM _store.weighting
WHERE state = 'kept'
ORDER BY id;
