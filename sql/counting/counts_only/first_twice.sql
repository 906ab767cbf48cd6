-- One row: the first co-occurrence that has several lines, and how many; no row if all have one.
SELECT any_value(lexeme) AS lexeme, any_value(path) AS path, any_value(context) AS context, count(*) AS times
FROM counts_line
GROUP BY lexeme, path, context
HAVING count(*) > 1
ORDER BY min(line)
LIMIT 1;
