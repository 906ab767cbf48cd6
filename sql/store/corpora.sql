-- A row: a corpus that went in, in the order of the additions; kind: trees, or counts that came without any; skipped:
-- its sentences that were at fault and left out.
SELECT name, kind, source, sentences, tokens, skipped, added_at, version, sha256
FROM _store.corpus
ORDER BY id;
