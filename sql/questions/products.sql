-- Neighbours as products of sparse matrices.

-- name: weights
-- One row: how many co-occurrences the lexemes have that may be neighbours; their vectors have no more weights.
-- @fewest@: the fewest tokens of one.
-- @subcorpus@: the subcorpus that they are of, or NULL.
SELECT count(*)
FROM _store.cooccurrence_in(@subcorpus@) AS met
SEMI JOIN _store.candidate_place(@fewest@, @subcorpus@) AS candidate ON candidate.lexeme_id = met.lexeme_id;

-- name: places
-- A row: a lexeme that may be a neighbour, in the order of their places: its group, -1 where it has none. Who is asked
-- for `same` has neighbours in the own group, else in 0.
-- @fewest@: the fewest tokens of one.
-- @subcorpus@: the subcorpus that they are of, or NULL.
-- @tag@: their part of speech: same, any, or a tag.
SELECT CASE
        WHEN @tag@ = 'any' THEN 0
        WHEN @tag@ = 'same' THEN pos_id
        WHEN part_of_speech = @tag@ THEN 0
        ELSE -1
    END::INTEGER AS group_id
FROM _store.candidate_place(@fewest@, @subcorpus@)
ORDER BY place;

-- name: part
-- A row: a lexeme of one part of a thesaurus and one of its neighbours; the most frequent lexemes first.
-- @fewest@: the fewest tokens of a lexeme.
-- @subcorpus@: the subcorpus that they are of, or NULL.
-- @top@: how many neighbours of each.
WITH candidate AS MATERIALIZED (
    FROM _store.candidate_place(@fewest@, @subcorpus@)
),
ranked AS (
    SELECT question, place, similarity, row_number() OVER (
            PARTITION BY question
            ORDER BY round(similarity, 12) DESC, place ASC
        ) AS rank
    FROM (
        SELECT question, place, _store.measured('cosine', shared, NULL, 1, NULL, 1) AS similarity
        FROM product
        WHERE question <> place
    )
    WHERE similarity > 0
)
SELECT asked.text AS lexeme, near.text AS neighbour, _store.round_similarity(ranked.similarity) AS similarity
FROM ranked
JOIN candidate AS asked ON asked.place = ranked.question
JOIN candidate AS near ON near.place = ranked.place
WHERE ranked.rank <= @top@
ORDER BY ranked.question, ranked.rank;
