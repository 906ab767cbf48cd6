-- Adds a row for the chunk.
INSERT INTO chunk_size
WITH RECURSIVE level (number, depth) AS (
    SELECT number, 0 FROM token WHERE head_number IS NULL
    UNION ALL
    SELECT token.number, level.depth + 1
    FROM level
    JOIN token ON token.head_number = level.number
)
SELECT (SELECT count(DISTINCT sentence) FROM token), (SELECT count(*) FROM token),
    coalesce((SELECT max(position) FROM token), 0), coalesce((SELECT max(depth) FROM level), 0);
