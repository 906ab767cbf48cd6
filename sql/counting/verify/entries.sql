-- A row: an entry that is in no state there is, has another number of weights than it records, or one that cannot be.
WITH stored AS (
    SELECT entry_id, count(*) AS weights,
        count(*) FILTER (WHERE NOT isfinite(weight) OR NOT path_is_valid(path)) AS impossible
    FROM _store.entry_weight
    GROUP BY entry_id
)
SELECT 'entry' AS what, entry.name AS row,
    concat_ws(' ', entry.state || ',', coalesce(stored.weights, 0), 'weights,', stored.impossible, 'impossible')
    AS found, 'stored or stale, ' || entry.weights || ' weights, 0 impossible' AS expected
FROM _store.entry
LEFT JOIN stored ON stored.entry_id = entry.id
WHERE entry.state NOT IN ('stored', 'stale') OR entry.weights IS DISTINCT FROM stored.weights OR stored.impossible > 0;
