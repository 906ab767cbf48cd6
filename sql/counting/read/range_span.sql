-- A row: a line 1-2, the words written as one from first to last, by their numbers in the chunk; and what is wrong with
-- it, NULL where it fits.
CREATE OR REPLACE TEMP TABLE range_span AS
WITH cut AS (
    SELECT line, next_word, fields_of(content) AS fields, string_split(fields[1], '-') AS ends
    FROM other_line
    WHERE regexp_matches(content, '^[0-9]+-[0-9]+(\t|$)')
),
range_line AS (
    SELECT line, next_word AS first, try_cast(ends[1] AS INTEGER) AS position,
        next_word::BIGINT + try_cast(ends[2] AS INTEGER) - position AS last,
        fields[2] AS form, NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
    FROM cut
),
-- A row: the last blank line before a word.
blank_line AS (
    SELECT next_word, max(line) AS line
    FROM other_line
    WHERE content = ''
    GROUP BY next_word
)
SELECT range_line.line, range_line.first, range_line.last, range_line.form, range_line.space_after, CASE
    WHEN NOT coalesce(
        range_line.position = word_line.position AND range_line.last BETWEEN range_line.first AND span.last, false
    ) OR range_line.line < blank_line.line
        THEN 'a range stands before the first of its words and ends within the sentence'
    WHEN range_line.first <= max(range_line.last) OVER (
        PARTITION BY span.first, range_line.line < blank_line.line ORDER BY range_line.line
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) THEN 'the first of its words is in the range before already'
END AS problem
FROM range_line
LEFT JOIN word_line ON word_line.number = range_line.first
LEFT JOIN sentence_span AS span ON span.first = range_line.first - word_line.position + 1
LEFT JOIN blank_line ON blank_line.next_word = range_line.first;
