-- A row: a text that there is, whether it is spelt nearly like another one, and how many there are in all. The nearest
-- come first.
-- @known@: the statement that gives those there are, as value.
-- @most@: how many rows there are at most.
WITH known AS (
    SELECT value, damerau_levenshtein(lower(value), lower($text)) AS distance
    FROM (@known@)
    WHERE value IS NOT NULL
),
told AS (
    SELECT value, distance, distance <= least(2, length($text) // 3) AS is_near, count(*) OVER () AS total
    FROM known
)
SELECT value, is_near, total
FROM told
ORDER BY is_near DESC, CASE WHEN is_near THEN distance END, value
LIMIT @most@;
