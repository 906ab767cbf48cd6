-- A row: an entry that was composed before the last addition, in the order in which they were stored.
SELECT id, name, phrase, question
FROM _store.entry
WHERE state = 'stale'
ORDER BY id;
