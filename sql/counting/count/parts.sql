-- A row: sentences of the chunk that are counted at once, by the first and last of their words: so many that they have
-- thirty million pairs or so. Most chunks have fewer; in one with long sentences each statement would take minutes.
SELECT min(first), max(last)
FROM (
    SELECT first, last, sum((last - first + 1)::BIGINT * (last - first + 1)) OVER (ORDER BY first) AS pairs_so_far
    FROM sentence_span
)
GROUP BY pairs_so_far // 30000000
ORDER BY 1;
