-- A row: something in the chunk that is not as CoNLL has it: its line, counted from 0, its kind, and what is wrong with
-- it and would be right. rank: what is wrong with a line itself is 1; what follows from other lines is more, since it
-- may only follow from a fault of theirs.
CREATE OR REPLACE TEMP TABLE fault AS
WITH of_line AS (
    SELECT number AS line, coalesce(line_fault(fields, columns), CASE WHEN is_number(fields[1]) THEN coalesce(
        empty_fault(fields[2], fields[3], fields[4], fields[5]), head_text_fault(fields[7]),
        relation_fault(fields[8], NOT regexp_full_match(fields[7], '0+'))
    ) END) AS found, 1 AS rank
    FROM cut_line
    WHERE fields IS NOT NULL AND NOT starts_with(fields[1], '#')
),
of_range AS (
    SELECT range_span.line,
        {'kind': 'ID', 'problem': 'ID is ' || cut_line.fields[1] || '; ' || range_span.problem} AS found, 2 AS rank
    FROM range_span
    JOIN cut_line ON cut_line.number = range_span.line
    WHERE range_span.problem IS NOT NULL
),
of_place AS (
    SELECT cut_line.number AS line, place_fault(
        placed_word.position, placed_word.head, placed_word.words, cut_line.fields[1], cut_line.fields[7]
    ) AS found, 3 AS rank
    FROM placed_word
    JOIN cut_line ON cut_line.word = placed_word.number
),
-- A row: a word that heads lead round to; its place is right, or it would not have been walked to.
of_circle AS (
    SELECT cut_line.number AS line, {'kind': 'circle', 'problem':
        'HEAD is ' || placed_word.head || ', which leads in a circle; heads lead up to a word whose HEAD is 0'
    } AS found, 4 AS rank
    FROM placed_word
    SEMI JOIN in_circle ON in_circle.number = placed_word.number
    JOIN cut_line ON cut_line.word = placed_word.number
),
of_sentence AS (
    SELECT cut_line.number AS line, length_fault(span.last - span.first + 1) AS found, 1 AS rank
    FROM sentence_span AS span
    JOIN cut_line ON cut_line.word = span.first
),
of_pairs AS (
    SELECT cut_line.number AS line, pairs_fault(many_pairs.pairs) AS found, 3 AS rank
    FROM many_pairs
    JOIN cut_line ON cut_line.word = many_pairs.first
),
of_any AS (
    FROM of_line
    UNION ALL
    FROM of_range
    UNION ALL
    FROM of_place
    UNION ALL
    FROM of_circle
    UNION ALL
    FROM of_sentence
    UNION ALL
    FROM of_pairs
)
SELECT line, found.kind AS kind, found.problem AS problem, rank
FROM of_any
WHERE found IS NOT NULL;
