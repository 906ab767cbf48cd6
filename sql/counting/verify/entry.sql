-- A row: a feature of the entry $id whose weight is another than that to which its phrase composes today.
-- @compose@: the call that composes the phrase.
WITH stored AS (
    SELECT path, context, weight
    FROM _store.entry_weight
    WHERE entry_id = $id
),
composed AS (
    SELECT path, context, weight
    FROM @compose@
)
SELECT 'weight of the entry' AS what, concat_ws(
        ' ', $name::VARCHAR || ':', coalesce(nullif(coalesce(stored.path, composed.path), ''), 'ε'),
        coalesce(stored.context, composed.context)
    ) AS row, coalesce(stored.weight::VARCHAR, 'none') AS found, coalesce(composed.weight::VARCHAR, 'none') AS expected
FROM stored
FULL JOIN composed ON composed.path = stored.path AND composed.context = stored.context
WHERE abs(coalesce(stored.weight, 0) - coalesce(composed.weight, 0)) > 1e-9 * greatest(1, abs(composed.weight));
