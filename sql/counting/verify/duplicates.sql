-- A row: a key that rows of table have more than once, and must have once.
-- @table@: a table of the store.
-- @key@: the columns that its rows are known by.
SELECT '@table@' AS what, concat_ws(' ', @key@) AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.@table@
GROUP BY @key@
HAVING count(*) > 1;
