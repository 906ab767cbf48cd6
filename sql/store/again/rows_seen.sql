-- One row: how many of the rows that were written a scan finds. (Without a filter DuckDB counts them from metadata.)
-- @table@: cooccurrence or node.
SELECT count(*) FROM _store.@table@_again WHERE count <> 0;
