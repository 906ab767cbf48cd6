-- Adds the record of what was chosen of a corpus of the attached lexicon, which is $own here. It has another digest
-- than the whole, which may still be added.
-- @choice@: the statement that gives the ids of the chosen sentences.
-- @condition@: what they were chosen by.
INSERT INTO _store.corpus (id, name, source, sha256, sentences, tokens, added_at, version, kind, skipped)
SELECT $own, name, source, sha256(sha256 || ' ' || @condition@), size.sentences, size.tokens, added_at, version, kind,
    skipped
FROM "/other"._store.corpus
CROSS JOIN (
    SELECT count(DISTINCT token.sentence_id) AS sentences, count(*) AS tokens
    FROM "/other"._store.token
    JOIN "/other"._store.sentence ON sentence.id = token.sentence_id
    SEMI JOIN (@choice@) AS chosen ON chosen.sentence_id = token.sentence_id
    WHERE sentence.corpus_id = $corpus
) AS size
WHERE id = $corpus;
