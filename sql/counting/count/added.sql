-- A row: what all that was counted adds to the count of a co-occurrence, both directions of each path; below 0 where it
-- is taken away (sign).
CREATE OR REPLACE TEMP VIEW added AS
SELECT lexeme_id, path_id, context_id, getvariable('sign') * count AS count
FROM counted
UNION ALL
SELECT counted.context_id, path.inverse_id, counted.lexeme_id, getvariable('sign') * counted.count
FROM counted
JOIN _store.path ON path.id = counted.path_id
WHERE path.inverse_id <> path.id;
