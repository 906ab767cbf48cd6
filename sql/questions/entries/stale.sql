-- A row: the entry of this name, if it was composed before the last addition.
SELECT id, phrase, question
FROM _store.entry
WHERE state = 'stale' AND name = $name;
