-- A row: a sentence of the chunk, that is the words between two blank lines, by the numbers of its first and last word.
CREATE OR REPLACE TEMP TABLE sentence_span AS
WITH first_word AS (
    SELECT 0 AS first
    UNION
    SELECT next_word FROM other_line WHERE content = ''
)
SELECT first, lead(first, 1, (SELECT count(*)::INTEGER FROM word_line)) OVER (ORDER BY first) - 1 AS last,
    row_number() OVER (ORDER BY first)::INTEGER AS number
FROM first_word
WHERE first < (SELECT count(*) FROM word_line);
