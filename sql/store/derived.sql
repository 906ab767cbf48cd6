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

-- name: listed
-- A row: what is stored under a name, in the order in which the kinds are made again: when, by which version of aptdb,
-- and how it was asked for; of an entry the phrase, and how it was composed.
-- @kinds@: the kinds, what each is called in the plural, and its place in that order.
WITH kinds AS (SELECT unnest(@kinds@, recursive := true)),
given AS (
    SELECT kind, name, string_agg(given.key || ' := ' || given.value, ', ' ORDER BY given.key) AS parameters
    FROM (SELECT kind, name, unnest(map_entries(asked)) AS given FROM _store.derived)
    GROUP BY kind, name
)
SELECT kinds.plural AS kind, derived.name, derived.state,
    CASE derived.kind
        WHEN 'subcorpus' THEN derived.asked['condition']
        WHEN 'entry' THEN concat_ws(', ', derived.asked['phrase'], nullif(derived.made['composition'], ''))
        ELSE given.parameters
    END AS asked,
    derived.made_at, derived.version
FROM _store.derived
JOIN kinds ON kinds.kind = derived.kind
LEFT JOIN given ON given.kind = derived.kind AND given.name = derived.name
ORDER BY kinds.place, derived.name;
