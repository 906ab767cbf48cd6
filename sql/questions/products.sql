-- Neighbours as products of matrices.

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
WITH candidate AS MATERIALIZED (FROM _store.candidate_place(@fewest@, @subcorpus@)),
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

-- name: numbers_of_space
-- A row, or none: how many numbers the vectors of a space have; none for one dimension, where half of all are equally
-- near.
-- @space@: its name.
SELECT vectors * dimensions FROM spaces WHERE space = lower(@space@) AND dimensions > 1;

-- name: candidates_in_space
-- A row: a lexeme of a space that may be a neighbour, by its place among those, with its vector, and a number for its
-- part of speech where that must be the same, else 0.
-- @fewest@: the fewest tokens of one.
-- @tag@: their part of speech: same, any, or a tag.
-- @space@: the name of the space.
CREATE OR REPLACE TEMP TABLE candidate_in_space AS
SELECT place, lexeme_id, text, part_of_speech, vector, CASE
        WHEN @tag@ = 'same' THEN dense_rank() OVER (ORDER BY part_of_speech ASC)
        ELSE 0
    END::INTEGER AS group_id
FROM _store.candidate_place_in_space(@tag@, @fewest@, @space@)
ORDER BY place;

-- name: asked_in_space
-- A row: a lexeme whose neighbours are asked for, by its place among all, with its vector and the number of the group
-- that its neighbours have.
-- @vectors@: the call that finds the vectors.
CREATE OR REPLACE TEMP TABLE asked_in_space AS
SELECT asked.place, asked.lexeme_id, asked.vector, coalesce(own.group_id, 0) AS group_id
FROM @vectors@ AS asked
LEFT JOIN (
    SELECT DISTINCT part_of_speech, group_id FROM candidate_in_space WHERE group_id > 0
) AS own ON own.part_of_speech = asked.part_of_speech
ORDER BY asked.place;

-- name: part_in_space
-- A row: a lexeme of one part of a thesaurus and one of its neighbours; the most frequent lexemes first. The relation
-- product has all pairs that may be among these.
-- @top@: how many neighbours of each.
WITH compared AS (
    SELECT asked.place, asked.lexeme_id, near.place AS near_place, near.text AS neighbour,
        _store.similarity_in_space(near.vector, asked.vector) AS similarity
    FROM product
    JOIN asked_in_space AS asked ON asked.place = product.question
    JOIN candidate_in_space AS near ON near.place = product.place
    WHERE near.lexeme_id <> asked.lexeme_id
),
ranked AS (
    SELECT place, lexeme_id, neighbour, similarity, row_number() OVER (
            PARTITION BY place ORDER BY similarity DESC, near_place ASC
        ) AS rank
    FROM compared
    WHERE similarity > 0
)
SELECT lexeme.text AS lexeme, ranked.neighbour, _store.round_similarity(ranked.similarity) AS similarity
FROM ranked
JOIN _store.lexeme ON lexeme.id = ranked.lexeme_id
WHERE ranked.rank <= @top@
ORDER BY ranked.place, ranked.rank;
