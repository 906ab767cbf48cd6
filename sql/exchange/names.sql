-- One row: names in the table names, from the number first on, a line each.
-- @names@: the table of names.
-- @first@: the number of the first.
-- @size@: how many.
SELECT string_agg(name, chr(10) ORDER BY number) AS lines
FROM @names@
WHERE number >= @first@ AND number < @first@ + @size@;
