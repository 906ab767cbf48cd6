-- A row: a line of the chunk with its number, from 0, the number of its columns, their text (NULL where it is blank)
-- and, for a word, its number among the words.
CREATE OR REPLACE TEMP TABLE cut_line AS
WITH cut AS (
    SELECT row_number() OVER () - 1 AS number, len(string_split(content, chr(9))) AS columns,
        fields_of(content) AS fields
    FROM chunk_line
)
SELECT number, columns, fields, CASE WHEN is_number(fields[1]) THEN
    count(*) FILTER (is_number(fields[1])) OVER (ORDER BY number) - 1 END AS word
FROM cut;
