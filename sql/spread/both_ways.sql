-- A row: a co-occurrence, in both directions of its path.
SELECT lexeme, path, context, count
FROM summed
WHERE path IS NOT NULL
UNION ALL
SELECT summed.context AS lexeme, inverse.path, summed.lexeme AS context, summed.count
FROM summed
JOIN numbered_path ON numbered_path.path = summed.path
JOIN numbered_path AS inverse ON inverse.path_id = numbered_path.inverse_id
WHERE numbered_path.inverse_id <> numbered_path.path_id;
