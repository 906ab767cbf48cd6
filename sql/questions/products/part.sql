-- A row: a lexeme of one part of a thesaurus and one of its neighbours; the most frequent lexemes first.
-- @fewest@: the fewest tokens of a lexeme.
-- @part@: the part of the corpora that they are of, or NULL.
-- @top@: how many neighbours of each.
WITH candidate AS MATERIALIZED (
    FROM _store.candidate_place(@fewest@, @part@)
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
ORDER BY ranked.question, ranked.rank
