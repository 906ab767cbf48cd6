-- A row: an entry, with what it says of how it was composed.
SELECT id, name, question, state, anchored, pos, weighing, composition
FROM _store.entry
ORDER BY id;
