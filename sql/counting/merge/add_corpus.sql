-- Adds the record of a corpus of the attached lexicon as it stands there, when and with which version it was read
-- included.
INSERT INTO _store.corpus (id, name, source, sha256, sentences, tokens, added_at, version, kind, skipped)
SELECT $own, $name, source, sha256, sentences, tokens, added_at, version, kind, skipped
FROM "/other"._store.corpus
WHERE id = $corpus;
