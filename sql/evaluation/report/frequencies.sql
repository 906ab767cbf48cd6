-- A row: a rank and the frequency of the lexeme that has it, the most frequent first. Of high ranks only some, evenly
-- spaced on a logarithmic scale, are rows: a curve needs no more.
WITH ranked AS (
    SELECT frequency, row_number() OVER (ORDER BY frequency DESC, lexeme) AS rank
    FROM lexemes
)
SELECT rank, max(frequency) AS frequency
FROM ranked
WHERE rank <= 20 OR floor(40 * log10(rank)) > floor(40 * log10(rank - 1)) OR rank = (SELECT max(rank) FROM ranked)
GROUP BY rank
ORDER BY rank;
