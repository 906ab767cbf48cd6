-- A row: a name that weights may have: a scheme, or a weighting that has a name.
SELECT unnest(_store.schemes()) AS name
UNION ALL
SELECT name FROM weightings;
