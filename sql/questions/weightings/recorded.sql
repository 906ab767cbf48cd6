-- A row: a property of weightings and the value that each weighting records of it, as SQL: NULL, or a CASE over the
-- names. What a file records is text, whatever stands in it.
WITH recorded AS (
    SELECT * EXCLUDE (id, state, weights, recorded_at, kept_at), CASE WHEN state = 'kept' THEN id END AS kept
    FROM _store.weighting
),
value AS (
    UNPIVOT (SELECT name, COLUMNS(* EXCLUDE name)::VARCHAR FROM recorded)
    ON COLUMNS(* EXCLUDE name) INTO NAME property VALUE value
),
quoted AS (
    SELECT property, name, '''' || replace(name, '''', '''''') || '''' AS name_text,
        '''' || replace(value, '''', '''''') || '''' AS value_text
    FROM value
)
SELECT property,
    'CASE lower(weights) ' || string_agg('WHEN ' || name_text || ' THEN ' || value_text, ' ' ORDER BY name) || ' END'
FROM quoted
GROUP BY property;
