-- A row: a name in the table names that two have in common, or that is empty, and of whom it is the name.
-- @names@: the table of names.
SELECT name, min(text) AS one, max(text) AS other, count(*) AS named
FROM @names@
GROUP BY name
HAVING count(*) > 1 OR name = ''
ORDER BY name
LIMIT 1;
