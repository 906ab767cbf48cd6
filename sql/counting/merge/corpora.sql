-- A row: a corpus of the attached lexicon, in the order of the additions.
SELECT id, name, kind, sha256, tokens
FROM "/other"._store.corpus
ORDER BY id;
