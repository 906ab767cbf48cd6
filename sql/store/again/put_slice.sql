-- Writes the rows of a slice after those of the slices before.
-- @table@: cooccurrence or node.
INSERT INTO _store.@table@_again FROM @table@_of_slice;
