-- Keeps which sentences a part has.
-- @id@: the part's id.
-- @draft@: the store of the draft that counted it.
INSERT INTO _store.part_sentence (part_id, sentence_id)
SELECT @id@, sentence_id
FROM @draft@.chosen_sentence
ORDER BY sentence_id;
