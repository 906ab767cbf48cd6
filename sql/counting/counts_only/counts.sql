-- A row: a co-occurrence of the corpus, as text, with all that its lines count of it; and the first of them.
CREATE OR REPLACE TEMP TABLE counts_text AS
SELECT lexeme, CASE WHEN path = 'ε' THEN '' ELSE path END AS path, context, sum(count::BIGINT) AS count,
    min(line) AS line
FROM counts_line
GROUP BY ALL;

-- A row: a path of the corpus, with its inverse and its order.
CREATE OR REPLACE TEMP TABLE counts_path AS
SELECT text, path_inverse(text) AS inverse, path_order(text) AS path_order
FROM (SELECT DISTINCT path AS text FROM counts_text);
