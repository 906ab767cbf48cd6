-- One row: whether anything is said under a name.
-- @table@: the table of metadata.
-- @kind@: the column of that name.
SELECT count(*) > 0 FROM _store.@table@ WHERE @kind@ IS NOT NULL;
