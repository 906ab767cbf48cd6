-- One row: the first sentence of the table of trees whose rows are not together, and two of the rows that begin it; no
-- row where all is well.
SELECT one_line(sentence) AS sentence, min(number) AS first, max(number) AS again
FROM tree_word
WHERE begins
GROUP BY ALL
HAVING count(*) > 1
ORDER BY first
LIMIT 1;
