-- A row: a token of the chunk, numbered from 0, with its head's number (NULL for a root) and everything coded by id
-- (label_id is NULL where the lexicon excludes the relation). A word line whose position or head is not within its
-- sentence has no row.
CREATE OR REPLACE TEMP TABLE token AS
-- A row: words that are written as one, as do and n't are; or as no words are, as in and dem are im: those are shown
-- apart.
WITH written AS (
    SELECT range_span.first, range_span.last, range_span.space_after,
        range_span.form <> string_agg(word_line.form, '' ORDER BY word_line.number) AS apart
    FROM range_span
    JOIN word_line ON word_line.number BETWEEN range_span.first AND range_span.last
    WHERE range_span.problem IS NULL
    GROUP BY range_span.first, range_span.last, range_span.space_after, range_span.form
),
range_word AS (
    SELECT first + unnest(range(last - first + 1)) AS number,
        CASE WHEN number = last THEN space_after ELSE apart END AS space_after
    FROM written
)
SELECT word_line.number, CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number,
    span.number AS sentence, word_line.position, word_line.head, word.id AS word_id,
    relation.id AS relation_id, label.id AS label_id,
    coalesce(range_word.space_after, word_line.space_after) AS space_after
FROM word_line
JOIN sentence_span AS span
    ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
    AND word_line.head <= span.last - span.first + 1 AND word_line.head <> word_line.position
JOIN _store.word
    ON word.form = word_line.form AND word.lemma = word_line.lemma AND word.upos = word_line.upos
    AND word.xpos = word_line.xpos AND word.feats = word_line.feats
JOIN _store.relation ON relation.text = word_line.relation
LEFT JOIN label ON label.text = relation.label
LEFT JOIN range_word ON range_word.number = word_line.number;
