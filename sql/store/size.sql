-- One row: how many rows a table has; those that were deleted are none.
-- @table@: a table by its whole name.
SELECT count(*)
FROM @table@;
