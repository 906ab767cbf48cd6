-- A row: a property of the file that was read, and its value, as text.
SELECT 'sentences' AS property, coalesce(sum(sentences), 0)::VARCHAR AS value FROM chunk_size
UNION ALL
SELECT 'tokens', coalesce(sum(tokens), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT 'longest sentence', coalesce(max(longest), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT 'deepest tree', coalesce(max(deepest), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT * FROM (
    SELECT kind || ' ' || name, sum(tokens)::VARCHAR
    FROM found
    GROUP BY kind, name
    ORDER BY kind, sum(tokens) DESC, name
);
