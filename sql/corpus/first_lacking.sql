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
