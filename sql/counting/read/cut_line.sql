-- A row: a suspect line with its number, from 0, the number of its columns, their text and, for a word, its number
-- among the words. The chunk's file holds only these lines now, in order.
CREATE OR REPLACE TEMP TABLE cut_line AS
WITH suspect AS (
    SELECT line, word, row_number() OVER (ORDER BY line) AS place
    FROM suspect_line
),
written AS (
    SELECT content, row_number() OVER () AS place
    FROM chunk_line
)
SELECT suspect.line AS number, len(string_split(written.content, chr(9))) AS columns,
    fields_of(written.content) AS fields, suspect.word
FROM suspect
JOIN written USING (place);
