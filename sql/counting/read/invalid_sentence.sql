-- A row: a sentence in which a fault was found, by its first and last line and its first and last word; where no line
-- of it is a word, the last is less than the first. Sentences end where a blank line is, or the chunk ends.
CREATE OR REPLACE TEMP TABLE invalid_sentence AS
WITH blank AS (
    SELECT line, next_word
    FROM other_line
    WHERE content = ''
),
size AS (
    SELECT (SELECT count(*) FROM word_line) AS words, (SELECT count(*) FROM other_line) AS others
)
SELECT DISTINCT coalesce(before.line + 1, 0) AS first_line,
    coalesce(after.line, size.words + size.others) - 1 AS last_line,
    coalesce(before.next_word, 0) AS first_word, coalesce(after.next_word, size.words) - 1 AS last_word
FROM fault
CROSS JOIN size
ASOF LEFT JOIN blank AS before ON fault.line > before.line
ASOF LEFT JOIN blank AS after ON fault.line < after.line;
