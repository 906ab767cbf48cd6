-- Adds the trees of the draft: its sentences, their tokens in order, or which of them are joined into one lexeme.
-- @draft@: the store of the draft.
-- @table@: the table of these.
INSERT INTO _store.@table@ FROM @draft@.@table@;
