-- Removing a corpus.

-- name: forget_trees
-- Takes away the trees of the corpora corpus_ids, their documents, and what is said of either.
DELETE FROM _store.joined
WHERE sentence_id IN (SELECT id FROM _store.sentence WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids'))));

DELETE FROM _store.token
WHERE sentence_id IN (SELECT id FROM _store.sentence WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids'))));

DELETE FROM _store.sentence_metadata
WHERE sentence_id IN (SELECT id FROM _store.sentence WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids'))));

DELETE FROM _store.sentence WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids')));

DELETE FROM _store.document_metadata
WHERE document_id IN (SELECT id FROM _store.document WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids'))));

DELETE FROM _store.document WHERE corpus_id IN (SELECT unnest(getvariable('corpus_ids')));

-- Takes away the words that no tree has any more, the relations, and what stood in MISC and DEPS.
DELETE FROM _store.word
WHERE id NOT IN (SELECT word_id FROM _store.token UNION SELECT word_id FROM _store.joined);

DELETE FROM _store.relation WHERE id NOT IN (SELECT relation_id FROM _store.token);

DELETE FROM _store.annotation
WHERE id NOT IN (SELECT misc_id FROM _store.token UNION SELECT deps_id FROM _store.token);

-- A word that no node has any more is but a part of joined words by now, and no lexeme.
UPDATE _store.word SET lexeme_id = NULL
WHERE lexeme_id IS NOT NULL AND id NOT IN (
    SELECT word_id FROM _store.joined
    UNION
    SELECT token.word_id FROM _store.token ANTI JOIN _store.joined USING (sentence_id, position)
);

-- name: wrong_counts
-- One row: how many counts are other than they can be, after something was taken out of them: below one, merged
-- more often than counted, or of a lexeme that is gone.
SELECT (SELECT count(*) FROM _store.cooccurrence WHERE count <= 0 OR merged NOT BETWEEN 0 AND count)
    + (SELECT count(*) FROM _store.node WHERE count <= 0 OR merged NOT BETWEEN 0 AND count)
    + (SELECT count(*) FROM _store.path WHERE count <= 0 OR merged NOT BETWEEN 0 AND count)
    + (SELECT count(*) FROM _store.lexeme WHERE frequency < 0)
    + (SELECT count(*) FROM _store.node WHERE lexeme_id NOT IN (SELECT id FROM _store.lexeme WHERE frequency > 0));

-- name: forget_outdated
-- Deletes of what is derived: the vectors of lexemes that the lexicon has no more, since others may get their ids; the
-- features of spaces that it has no more; the occurrences of senses, since other sentences may have their ids; and the
-- senses of lexemes that it has no more.
DELETE FROM _store.space_vector
WHERE lexeme_id NOT IN (SELECT id FROM _store.lexeme);

DELETE FROM _store.space_feature
WHERE context_id NOT IN (SELECT id FROM _store.lexeme)
    OR (path_id <> 0 AND path_id NOT IN (SELECT id FROM _store.path)); -- 0 is ~, of windows

DELETE FROM _store.sense_occurrence;

DELETE FROM _store.sense
WHERE lexeme_id NOT IN (SELECT id FROM _store.lexeme);

DELETE FROM _store.derived
WHERE kind = 'senses' AND id NOT IN (SELECT senses_id FROM _store.sense);
