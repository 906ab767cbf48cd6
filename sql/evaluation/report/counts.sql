-- A row: a count, and how many co-occurrences of the lexicon are counted at least so often. Of high counts only some,
-- as in frequencies.
WITH counted AS (
    SELECT count, count(*) AS cooccurrences FROM _store.cooccurrence GROUP BY count
),
at_least AS (
    SELECT count, sum(cooccurrences) OVER (ORDER BY count DESC) AS cooccurrences FROM counted
)
SELECT min(count) AS count, max(cooccurrences)::BIGINT AS cooccurrences
FROM at_least
GROUP BY CASE WHEN count <= 20 THEN count ELSE 20 + floor(40 * log10(count)) END
ORDER BY count;
