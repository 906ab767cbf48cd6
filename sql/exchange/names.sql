-- One row: names in the table @names@, from the number @first@ on, a line each.
SELECT string_agg(name, chr(10) ORDER BY number) AS lines
FROM @names@
WHERE number >= @first@ AND number < @first@ + @size@;
