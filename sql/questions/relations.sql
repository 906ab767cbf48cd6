-- A row: a relation that the lexicon counts along.
SELECT text[2:] AS relation
FROM _store.path
WHERE path_order = 1
GROUP BY relation;
