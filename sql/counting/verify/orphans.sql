-- A row: an id by which rows of table refer to a reference that is not there.
-- @table@: a table of the store.
-- @column@: a column of ids.
-- @reference@: the table that they are ids of.
SELECT '@table@' AS what, '@reference@ ' || @column@ AS row, count(*) || ' rows refer to it' AS found,
    'a @reference@ of that id' AS expected
FROM _store.@table@
WHERE @column@ IS NOT NULL AND @column@ NOT IN (SELECT id FROM _store.@reference@)
GROUP BY @column@;
