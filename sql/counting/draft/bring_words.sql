-- Points each word of the lexicon that is a lexeme now to it.
UPDATE _store.word
SET lexeme_id = drafted.lexeme_id
FROM "/draft"._store.word AS drafted
WHERE drafted.id = word.id AND word.lexeme_id IS NULL AND drafted.lexeme_id IS NOT NULL;

-- Adds a row for each word, relation, lexeme and path that the draft was the first to have.
INSERT INTO _store.word
FROM "/draft"._store.word
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.word);

INSERT INTO _store.relation
FROM "/draft"._store.relation
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.relation);

INSERT INTO _store.lexeme
FROM "/draft"._store.lexeme
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.lexeme);

INSERT INTO _store.path
FROM "/draft"._store.path
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.path);
