-- Points each word of the lexicon that is a lexeme now to it.
-- @draft@: the store of the draft.
UPDATE _store.word
SET lexeme_id = drafted.lexeme_id
FROM @draft@.word AS drafted
WHERE drafted.id = word.id AND word.lexeme_id IS NULL AND drafted.lexeme_id IS NOT NULL;
