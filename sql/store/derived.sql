-- What is derived from counts and kept under a name, whatever its kind.

-- name: found
-- A row: what has this kind and name, or all of the kind.
SELECT id, name, state, asked, made, made_of
FROM _store.derived
WHERE kind = $kind AND ($name IS NULL OR name = $name)
ORDER BY name;

-- name: next_id
-- One row: the id of what has this kind and name, or a new one.
SELECT coalesce(max(id) FILTER (WHERE name = $name), 1 + max(id), 1)::INTEGER AS id
FROM _store.derived
WHERE kind = $kind;

-- name: forget_rows
-- Deletes what a table holds of one.
-- @table@: the table.
-- @id_column@: its column with the id.
DELETE FROM _store.@table@ WHERE @id_column@ = $id;

-- name: all_stale
-- Marks all as stale: the counts have changed.
UPDATE _store.derived SET state = 'stale' WHERE state = 'kept';

-- name: made_of_stale
-- Marks as stale what is made of something that changed (subcorpus:fiction), directly or through others of its kind.
WITH RECURSIVE changed (called) AS (
    SELECT $called
    UNION
    SELECT derived.kind || ':' || derived.name
    FROM _store.derived
    JOIN changed ON list_contains(derived.made_of, changed.called)
)
UPDATE _store.derived SET state = 'stale'
WHERE state = 'kept' AND kind || ':' || name IN (SELECT called FROM changed WHERE called <> $called);
