-- Adds a row for each document or sentence of which something is said.
-- @draft@: the store of the draft.
-- @level@: document or sentence.
-- @values@: the value of each kind, by its name.
INSERT INTO _store.@level@_metadata BY NAME
SELECT id AS @level@_id, @values@
FROM @draft@.settled
WHERE level = '@level@'
GROUP BY id
ORDER BY id;
