-- Adds a row for each word, relation, lexeme or path that the draft was the first to have.
-- @draft@: the store of the draft.
-- @table@: their table.
INSERT INTO _store.@table@
FROM @draft@.@table@
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.@table@);
