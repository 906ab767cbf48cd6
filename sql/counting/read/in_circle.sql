-- A row: a word of the chunk whose way up comes round to itself, or to such a word, by its number. A way that ends at a
-- word whose head is wrong by itself is that word's fault alone. In a sentence that is too long nobody walks: its ways
-- may have any number of steps.
CREATE OR REPLACE TEMP TABLE in_circle AS
WITH RECURSIVE edge AS MATERIALIZED (
    SELECT word_line.number, CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number
    FROM word_line
    JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
        AND word_line.head <= span.last - span.first + 1 AND word_line.head <> word_line.position
    WHERE coalesce(span.last - span.first < getvariable('max_sentence'), true)
),
rooted (number) AS (
    SELECT edge.number
    FROM edge
    LEFT JOIN edge AS above ON above.number = edge.head_number
    WHERE above.number IS NULL
    UNION ALL
    SELECT edge.number
    FROM rooted
    JOIN edge ON edge.head_number = rooted.number
)
SELECT number
FROM edge
ANTI JOIN rooted USING (number);
