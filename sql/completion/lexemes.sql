-- A row: a lexeme or entry that begins with $begin, and how often it occurs; the most frequent come first.
-- The first and the last of all that match are among them, so that all rows begin with what all that match begin with.
WITH matching AS (
    SELECT text, frequency FROM _store.lexeme WHERE starts_with(text, $begin)
    UNION ALL
    SELECT name AS text, NULL AS frequency FROM _store.entry WHERE starts_with(name, $begin)
),
outermost AS (
    SELECT min(text) AS first, max(text) AS last
    FROM matching
),
ranked AS (
    SELECT text, frequency
    FROM matching
    ORDER BY frequency DESC NULLS LAST, text
    LIMIT $most
)
SELECT text, frequency FROM ranked
UNION ALL
SELECT matching.text, matching.frequency
FROM matching
JOIN outermost ON matching.text IN (outermost.first, outermost.last)
WHERE matching.text NOT IN (SELECT text FROM ranked)
ORDER BY frequency DESC NULLS LAST, text
