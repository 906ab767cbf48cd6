-- A row: lexemes that may be neighbours, from a first place among those to a last, the most frequent first: so few, and
-- with so few co-occurrences together, that they are asked for at once.
-- @fewest@: the fewest tokens of one.
-- @part@: the part of the corpora that they are of, or NULL.
-- @most_lexemes@: how many lexemes at most.
-- @most_rows@: how many co-occurrences, or so.
WITH met AS (
    SELECT candidate.place, count(*) AS rows_met
    FROM _store.cooccurrence_in(@part@) AS met
    JOIN _store.candidate_place(@fewest@, @part@) AS candidate ON candidate.lexeme_id = met.lexeme_id
    GROUP BY candidate.place
),
met_so_far AS (
    SELECT place, sum(rows_met) OVER (ORDER BY place) AS rows_so_far
    FROM met
)
SELECT min(place), max(place)
FROM met_so_far
GROUP BY rows_so_far // @most_rows@, place // @most_lexemes@
ORDER BY 1
