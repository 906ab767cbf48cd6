-- A row: a property of weightings and the value that each weighting records of it, as SQL: NULL, or a CASE over the
-- names.
WITH recorded AS (
    SELECT * EXCLUDE (id, state, weights, recorded_at, kept_at), CASE WHEN state = 'kept' THEN id END AS kept
    FROM _store.weighting
),
value AS (
    UNPIVOT (SELECT name, COLUMNS(* EXCLUDE name)::VARCHAR FROM recorded)
    ON COLUMNS(* EXCLUDE name) INTO NAME property VALUE value
)
SELECT property,
    'CASE lower(weights) ' || string_agg(format('WHEN ''{}'' THEN ''{}''', name, value), ' ' ORDER BY name) || ' END'
FROM value
GROUP BY property;
