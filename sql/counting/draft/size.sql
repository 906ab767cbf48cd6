-- One row: how many rows a table of the draft has.
-- @draft@: the store of the draft.
-- @table@: the table.
SELECT count(*) FROM @draft@.@table@;
