-- A row: a part, the places of its first and last lexeme, and how many weights it has.
SELECT min(place) AS first, max(place) AS last, sum(weights)::BIGINT AS weights
FROM _staged_row
GROUP BY part
ORDER BY part;
