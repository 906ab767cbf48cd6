-- A row: a line of the chunk in which a rule may be broken, counted from 0, and its number among the words (NULL where
-- it is none). The same rules as in suspect; only these lines are cut, so that one fault does not cost the whole chunk.
CREATE OR REPLACE TEMP TABLE suspect_line AS
WITH wrong_relation AS (
    FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
    WHERE relation_fault(relation, has_head) IS NOT NULL
),
suspect_word AS (
    SELECT number FROM placed_word WHERE place_fault(position, head, words, '', '') IS NOT NULL
    UNION
    SELECT number FROM word_line WHERE empty_fault(form, lemma, upos, xpos) IS NOT NULL
    UNION
    SELECT word_line.number
    FROM word_line
    SEMI JOIN wrong_relation
        ON wrong_relation.relation = word_line.relation
        AND wrong_relation.has_head IS NOT DISTINCT FROM (word_line.head > 0)
    UNION
    SELECT first FROM sentence_span WHERE length_fault(last - first + 1) IS NOT NULL
    UNION
    SELECT first FROM many_pairs
    UNION
    SELECT number FROM in_circle
),
-- A row: the last line that is no word before a word.
line_before AS (
    SELECT next_word, max(line) AS line
    FROM other_line
    GROUP BY next_word
)
SELECT coalesce(line_before.line + 1 + suspect_word.number - line_before.next_word, suspect_word.number) AS line,
    suspect_word.number AS word
FROM suspect_word
ASOF LEFT JOIN line_before ON suspect_word.number >= line_before.next_word
UNION
SELECT line, NULL
FROM other_line
WHERE content <> '' AND NOT starts_with(content, '#') AND line_fault(fields_of(content), 0) IS NOT NULL
UNION
SELECT line, NULL
FROM range_span
WHERE problem IS NOT NULL;
