-- A row: a token of the chunk, numbered from 0, with its head's number (NULL for a root) and everything coded by id.
CREATE OR REPLACE TEMP TABLE token AS
WITH range_word AS (
    SELECT first + unnest(range(last_position - first_position + 1)) AS number,
        CASE WHEN number = first + last_position - first_position THEN space_after ELSE false END AS space_after
    FROM range_span
)
SELECT word_line.number,
    CASE WHEN word_line.head > 0 THEN word_line.number - word_line.position + word_line.head END AS head_number,
    word_line.number - word_line.position + 1 AS sentence_first,
    word_line.position, word_line.head, word.id AS word_id, word.lexeme_id, relation.id AS relation_id,
    label.id AS label_id, coalesce(range_word.space_after, word_line.space_after) AS space_after
FROM word_line
JOIN _store.word
    ON word.form = word_line.form AND word.lemma = word_line.lemma AND word.upos = word_line.upos
    AND word.xpos = word_line.xpos
JOIN _store.relation ON relation.text = word_line.relation
JOIN label ON label.text = relation.label
LEFT JOIN range_word ON range_word.number = word_line.number;
