-- One row: a digest of every column of a table, so that each of its blocks is read; and in how many rows each column is
-- NULL that never is.
-- @table@: a table of the store.
-- @columns@: its columns.
-- @absent@: of each column that is never NULL, whether it is.
SELECT bit_xor(hash(@columns@)) AS digest, @absent@
FROM _store.@table@;
