-- One row: how many rows a table has; those that were deleted are none.
SELECT count(*)
FROM @table@;
