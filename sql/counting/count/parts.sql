-- A row: sentences of the chunk that are counted at once, by the first and last of their words. Most chunks are one
-- part; in one with long sentences each statement would take minutes, and more memory than there is.
-- @pairs@: how many pairs of words a part has, or so.
SELECT min(first), max(last)
FROM (
    SELECT first, last, sum((last - first + 1)::BIGINT * (last - first + 1)) OVER (ORDER BY first) AS pairs_so_far
    FROM sentence_span
)
GROUP BY pairs_so_far // @pairs@
ORDER BY 1;
