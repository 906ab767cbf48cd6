-- A row: a number made of every value of table; DuckDB reads all its blocks for it, and sees if one is damaged.
-- @table@: a table of the store.
SELECT bit_xor(hash(each_row)) AS digest FROM _store.@table@ AS each_row;
