-- A row: a path, numbered in the order of the texts, with its inverse, which is counted just as often, and its order.
WITH met AS (
    SELECT path, count FROM counted_path
    UNION
    SELECT path_inverse(path), count FROM counted_path
),
numbered AS (
    SELECT row_number() OVER (ORDER BY path)::INTEGER AS path_id, path, count
    FROM met
)
SELECT numbered.path_id, numbered.path, inverse.path_id AS inverse_id,
    path_order(numbered.path)::INTEGER AS path_order, numbered.count
FROM numbered
JOIN numbered AS inverse ON inverse.path = path_inverse(numbered.path)
ORDER BY numbered.path_id;
