-- A row: a weighting that is in no state there is, or whose number of kept weights is another than it records.
WITH kept AS (
    SELECT weighting_id, count(*) AS weights
    FROM _store.kept_weight
    GROUP BY weighting_id
),
sized AS (
    SELECT weighting_id, count(*) AS sizes
    FROM _store.kept_size
    GROUP BY weighting_id
),
known AS (
    SELECT weighting.name, weighting.state, weighting.weights AS recorded, coalesce(kept.weights, 0) AS weights,
        coalesce(sized.sizes, 0) AS sizes
    FROM _store.weighting
    LEFT JOIN kept ON kept.weighting_id = weighting.id
    LEFT JOIN sized ON sized.weighting_id = weighting.id
)
SELECT 'weighting' AS what, name AS row, concat_ws(' ', state, weights, 'weights,', sizes, 'sizes') AS found,
    CASE WHEN state = 'computed' THEN 'no weights' ELSE 'kept or stale, ' || recorded || ' weights' END AS expected
FROM known
WHERE state NOT IN ('computed', 'kept', 'stale') OR recorded <> weights
    OR (state = 'computed' AND (weights > 0 OR sizes > 0));
