-- One row: the first line of the chunk that is not as CoNLL-U has it, counted from 0, and what is wrong with it;
-- no row where all is well. A name in quotes is cut where it is long.
WITH line_fault AS (
    SELECT number AS line, CASE
        WHEN len(fields) <> 10 THEN
            len(fields) || CASE WHEN len(fields) = 1 THEN ' column' ELSE ' columns' END
            || '; a line has 10, with tabs between them'
        WHEN NOT regexp_full_match(fields[1], '[0-9]+([-.][0-9]+)?') THEN
            'ID is ''' || left(fields[1], 40) || '''; it is a number, a range as 1-2 or an empty node as 8.1'
        WHEN NOT regexp_full_match(fields[1], '[0-9]+') THEN NULL
        WHEN NOT regexp_full_match(fields[7], '[0-9]+') THEN
            'HEAD is ''' || left(fields[7], 40) || '''; it is the ID of a word of the sentence, or 0 for the root'
        WHEN regexp_matches(fields[8], '^$|[<>]') THEN
            'DEPREL is ''' || left(fields[8], 40) || '''; a relation is a name without < or >'
        WHEN regexp_matches(fields[8], getvariable('no_relation')) AND NOT regexp_full_match(fields[7], '0+') THEN
            'DEPREL is ''' || left(fields[8], 40) || '''; a word with a head has a relation to it'
    END AS problem
    FROM cut_line
    WHERE fields IS NOT NULL AND NOT starts_with(fields[1], '#')
),
word_fault AS (
    SELECT cut_line.number AS line, CASE
        WHEN span.first IS NULL THEN
            'ID is ' || cut_line.fields[1]
            || ', out of sequence; words are numbered 1, 2, 3 … anew after each blank line'
        WHEN word_line.head = word_line.position THEN
            'HEAD is ' || word_line.head || ', the word itself; it is another word, or 0 for the root'
        ELSE
            'HEAD is ' || cut_line.fields[7] || ', but the sentence has ' || span.last - span.first + 1
            || CASE WHEN span.last = span.first THEN ' word' ELSE ' words' END
    END AS problem
    FROM word_line
    ANTI JOIN token ON token.number = word_line.number
    JOIN cut_line ON cut_line.word = word_line.number
    LEFT JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
),
range_fault AS (
    SELECT range_span.line, 'ID is ' || cut_line.fields[1] || '; ' || range_span.problem AS problem
    FROM range_span
    JOIN cut_line ON cut_line.number = range_span.line
    WHERE range_span.problem IS NOT NULL
)
SELECT line, problem
FROM (
    SELECT line, problem, 1 AS rank FROM line_fault WHERE problem IS NOT NULL
    UNION ALL
    SELECT line, problem, 2 FROM range_fault
    UNION ALL
    SELECT line, problem, 3 FROM word_fault
)
-- A line that cannot be read comes first: what is wrong elsewhere may only follow from it.
ORDER BY rank > 1, line, rank
LIMIT 1;
