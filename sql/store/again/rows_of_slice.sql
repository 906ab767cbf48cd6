-- One row: how many rows a slice has.
-- @table@: cooccurrence or node.
SELECT count(*) FROM @table@_of_slice;
