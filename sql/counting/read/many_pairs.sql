-- A row: a sentence that would take too long to count, by its first word, and the pairs that it has: words that stand
-- in one place (meaning.md 3.4), or in places whose ways to a common one have at most max_order steps together. A
-- sentence of few words cannot have so many, and is not looked at.
CREATE OR REPLACE TEMP TABLE many_pairs AS
WITH RECURSIVE long_word AS MATERIALIZED (
    SELECT word_line.number, span.first, word_line.relation,
        CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number
    FROM word_line
    JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
    WHERE span.last - span.first + 1 <= getvariable('max_sentence')
        AND (span.last - span.first + 1)::BIGINT ^ 2 > getvariable('max_pairs')
),
-- A row: a word and the first of those that stand in the same place, as in packed.
placed (number, first, place, above) AS (
    SELECT number, first, number, NULL::INTEGER FROM long_word WHERE head_number IS NULL
    UNION ALL
    SELECT long_word.number, long_word.first,
        min(long_word.number) OVER (PARTITION BY placed.place, long_word.relation), placed.place
    FROM placed
    JOIN long_word ON long_word.head_number = placed.number
),
place AS MATERIALIZED (
    SELECT first, place, any_value(above) AS above, count(*) AS words
    FROM placed
    GROUP BY first, place
),
-- A row: a place, one at most max_order steps above it, and how many.
climbed (first, words, top, height) AS (
    SELECT first, words, place, 0 FROM place
    UNION ALL
    SELECT climbed.first, climbed.words, place.above, climbed.height + 1
    FROM climbed
    JOIN place ON place.place = climbed.top
    WHERE place.above IS NOT NULL AND climbed.height < getvariable('max_order')
),
below AS (
    SELECT first, top, height, sum(words)::BIGINT AS words
    FROM climbed
    GROUP BY first, top, height
)
-- Pairs that are near enough are counted at the root, or where the place above is too far for them.
SELECT one.first, sum(one.words * other.words)::BIGINT AS pairs
FROM below AS one
JOIN below AS other ON other.top = one.top AND one.height + other.height <= getvariable('max_order')
JOIN place ON place.place = one.top
WHERE place.above IS NULL OR one.height + other.height > getvariable('max_order') - 2
GROUP BY one.first
HAVING sum(one.words * other.words) > getvariable('max_pairs');
