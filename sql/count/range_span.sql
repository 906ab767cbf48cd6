-- A row: a line 1-2, the words written as one from first to last, by the number of the word that follows the line.
CREATE OR REPLACE TEMP TABLE range_span AS
WITH range_line AS (
    SELECT number AS line, try_cast(string_split(fields[1], '-')[1] AS INTEGER) AS first_position,
        try_cast(string_split(fields[1], '-')[2] AS INTEGER) AS last_position,
        NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
    FROM line
    WHERE regexp_full_match(fields[1], '[0-9]+-[0-9]+')
)
SELECT range_line.line, range_line.first_position, range_line.last_position, range_line.space_after,
    word_line.number AS first, word_line.position
FROM range_line
ASOF LEFT JOIN word_line ON word_line.line > range_line.line;
