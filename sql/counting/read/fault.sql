-- A row: a fault in the chunk: its line, counted from 0, its kind, and a message: what is wrong, and what would be right. Long
-- names in quotes are cut. rank: 1 for a fault in the line itself; more for what depends on other lines, because it may just
-- follow from a fault in them.
CREATE OR REPLACE TEMP TABLE fault AS
WITH line_fault AS (
    SELECT number AS line, CASE
        WHEN len(fields) <> 10 THEN {'kind': 'columns', 'problem':
            columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END
            || '; a line has ' || getvariable('columns_wanted') || ', with tabs between them'}
        WHEN NOT regexp_full_match(fields[1], '[0-9]+([-.][0-9]+)?') THEN {'kind': 'ID', 'problem':
            'ID is ''' || left(fields[1], 40) || '''; it is a number, a range (e.g. 1-2) or an empty node (e.g. 8.1)'}
        WHEN NOT regexp_full_match(fields[1], '[0-9]+') THEN NULL
        WHEN list_contains(fields[2:5], '') THEN {'kind': 'empty', 'problem':
            ['FORM', 'LEMMA', 'UPOS', 'XPOS'][list_position(fields[2:5], '')] || ' is empty; write _ if there is none'}
        WHEN NOT regexp_full_match(fields[7], '[0-9]+') THEN {'kind': 'HEAD', 'problem':
            'HEAD is ''' || left(fields[7], 40) || '''; it is the ID of a word in the sentence, or 0 for the root'}
        WHEN fields[8] = '' THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is empty; a relation is a name, e.g. nsubj'}
        WHEN regexp_matches(fields[8], '[<>]') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(fields[8], 40) || '''; a relation is a name without < or >'}
        WHEN regexp_matches(fields[8], '^(_|_?:.*)$') AND NOT regexp_full_match(fields[7], '0+') THEN
            {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(fields[8], 40) || '''; a word with a head has a relation to it'}
    END AS found, 1 AS rank
    FROM cut_line
    WHERE fields IS NOT NULL AND NOT starts_with(fields[1], '#')
),
range_fault AS (
    SELECT range_span.line, {'kind': 'ID', 'problem': 'ID is ' || cut_line.fields[1] || '; ' || range_span.problem} AS found,
        2 AS rank
    FROM range_span
    JOIN cut_line ON cut_line.number = range_span.line
    WHERE range_span.problem IS NOT NULL
),
-- A row: a word line with the sentence to which it belongs by its position; NULL if its position is out of sequence.
placed AS (
    SELECT word_line.number, word_line.position, word_line.head, cut_line.number AS line, cut_line.fields,
        span.last - span.first + 1 AS words
    FROM word_line
    JOIN cut_line ON cut_line.word = word_line.number
    LEFT JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
),
word_fault AS (
    SELECT placed.line, CASE
        WHEN placed.words IS NULL THEN {'kind': 'ID', 'problem':
            'ID is ' || placed.fields[1] || ', out of sequence; words are numbered 1, 2, 3 … and start at 1 after each blank line'}
        WHEN placed.head = placed.position THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || placed.head || ', the word itself; it is another word, or 0 for the root'}
        WHEN NOT coalesce(placed.head <= placed.words, false) THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || placed.fields[7] || ', but the sentence has ' || placed.words
            || CASE WHEN placed.words = 1 THEN ' word' ELSE ' words' END}
        WHEN in_circle.number IS NOT NULL THEN {'kind': 'circle', 'problem':
            'HEAD is ' || placed.head || ', which leads in a circle; heads lead up to a word whose HEAD is 0'}
    END AS found, CASE WHEN in_circle.number IS NULL THEN 3 ELSE 4 END AS rank
    FROM placed
    LEFT JOIN in_circle ON in_circle.number = placed.number
),
long_sentence AS (
    SELECT cut_line.number AS line, {'kind': 'length', 'problem': format(
        'a sentence of {:,} words; at most {:,} are allowed, because the number of pairs grows with their square; raise this '
        'with --max-sentence', span.last - span.first + 1, getvariable('max_sentence'))} AS found, 1 AS rank
    FROM sentence_span AS span
    JOIN cut_line ON cut_line.word = span.first
    WHERE span.last - span.first >= getvariable('max_sentence')
),
all_fault AS (
    FROM line_fault
    UNION ALL
    FROM range_fault
    UNION ALL
    FROM word_fault
    UNION ALL
    FROM long_sentence
)
SELECT line, found.kind AS kind, found.problem AS problem, rank
FROM all_fault
WHERE found IS NOT NULL;
