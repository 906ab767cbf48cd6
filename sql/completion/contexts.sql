-- A row: a context that begins with $begin and occurs with $lexeme along $path, or along any if that is NULL; and how
-- often. The most frequent come first. The first and the last of all that match are among them, as for lexemes.
WITH met AS (
    SELECT met.context_id, sum(met.count)::BIGINT AS frequency
    FROM _store.cooccurrence AS met
    WHERE
        met.lexeme_id = (SELECT id FROM _store.lexeme WHERE text = $lexeme)
        AND ($path IS NULL OR met.path_id = (SELECT id FROM _store.path WHERE text = $path))
    GROUP BY met.context_id
),
matching AS (
    SELECT context.text, met.frequency
    FROM met
    JOIN _store.lexeme AS context ON context.id = met.context_id
    WHERE starts_with(context.text, $begin)
),
outermost AS (
    SELECT min(text) AS first, max(text) AS last
    FROM matching
),
ranked AS (
    SELECT text, frequency
    FROM matching
    ORDER BY frequency DESC, text
    LIMIT $most
)
SELECT text, frequency FROM ranked
UNION ALL
SELECT matching.text, matching.frequency
FROM matching
JOIN outermost ON matching.text IN (outermost.first, outermost.last)
WHERE matching.text NOT IN (SELECT text FROM ranked)
ORDER BY frequency DESC, text
