-- A row: a property of weightings and the value that each weighting records of it, as SQL: NULL, or a CASE over the
-- names.
WITH recorded AS (
    SELECT name, scheme, cds, cds_total, scope, shift, min_count, min_feature_count, max_order, min_frequency,
        top_features, phi, CASE WHEN state = 'kept' THEN id END AS kept
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
