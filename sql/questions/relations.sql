-- A row: a relation that the lexicon counts along.
SELECT DISTINCT step[2:] AS relation
FROM _store.counted_step(NULL);
