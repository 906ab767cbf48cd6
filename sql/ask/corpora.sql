-- A row: a corpus that went in, in the order of the additions.
SELECT name, source, sentences, tokens, added_at, version, sha256
FROM _store.corpus
ORDER BY id;
