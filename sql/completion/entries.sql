-- A row: an entry, and its phrase.
SELECT name, phrase
FROM _store.entry
ORDER BY name
