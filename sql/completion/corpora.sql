-- A row: a corpus, and how many tokens it has.
SELECT name, tokens
FROM _store.corpus
ORDER BY id
