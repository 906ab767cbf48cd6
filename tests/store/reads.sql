FROM lexemes
TABLE lexemes
VALUES (1, 'a'), (2, 'b')
(SELECT 1)
FROM lexemes UNION ALL FROM lexemes
WITH noun AS (FROM lexemes WHERE pos = 'NOUN') FROM noun
WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 5) FROM up
UNPIVOT lexemes ON frequency
FROM (UNPIVOT lexemes ON lemma, pos)
FROM lexemes UNPIVOT (value FOR name IN (lemma, pos))
SUMMARIZE lexemes
SUMMARIZE SELECT 1
FROM (SUMMARIZE lexemes)
DESCRIBE lexemes
DESCRIBE SELECT 1
FROM (DESCRIBE lexemes)
SHOW TABLES
SHOW ALL TABLES
SHOW DATABASES
SHOW lexemes
DESCRIBE
EXPLAIN FROM lexemes
explain analyze FROM lexemes
EXPLAIN (FORMAT json) FROM lexemes
EXPLAIN (SELECT 1)
EXPLAIN (ANALYZE, FORMAT json) FROM lexemes
/* why */ EXPLAIN PIVOT lexemes ON pos
FROM lexemes; -- all
PIVOT lexemes ON pos IN ('NOUN') USING sum(frequency)
FROM lexemes PIVOT (sum(frequency) FOR pos IN ('NOUN'))
PIVOT lexemes ON pos USING sum(frequency) GROUP BY lemma
pivot_wider lexemes ON pos, lemma USING count(*)
FROM (PIVOT lexemes ON pos USING count(*) GROUP BY lemma) WHERE lemma = 'dog'
WITH wide AS (PIVOT lexemes ON pos) FROM wide
WITH noun AS (FROM lexemes) PIVOT noun ON pos USING count(*)
DESCRIBE (PIVOT lexemes ON pos)
SUMMARIZE (PIVOT lexemes ON pos)
((PIVOT lexemes ON pos))
PIVOT (FROM ppmi(shift := 1)) ON path USING sum(weight) GROUP BY lexeme
PIVOT (SELECT 'insert' AS "update", 1 AS n) ON "update" USING sum(n) -- delete
