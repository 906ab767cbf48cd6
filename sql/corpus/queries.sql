-- Reading corpora: checks of tables of parsed sentences.

-- name: first_lacking
-- One row: the first row of the table of trees that lacks what every word has, by its number, and what it lacks; no row
-- where all is well.
SELECT number, CASE
    WHEN sentence IS NULL THEN 'sentence'
    WHEN id IS NULL THEN 'id'
    WHEN form IS NULL THEN 'form'
    WHEN head IS NULL THEN 'head'
    ELSE 'deprel'
END AS lacks
FROM tree_word
WHERE sentence IS NULL OR id IS NULL OR form IS NULL OR head IS NULL OR deprel IS NULL
ORDER BY number
LIMIT 1;

-- name: first_apart
-- One row: the first sentence of the table of trees whose rows are not together, and two of the rows that begin it; no
-- row where all is well.
SELECT one_line(sentence) AS sentence, min(number) AS first, max(number) AS again
FROM tree_word
WHERE begins
GROUP BY ALL
HAVING count(*) > 1
ORDER BY first
LIMIT 1;
