-- A row: a kind of metadata that the corpus has, the type that fits all its values (whole numbers, numbers, dates, or
-- text; also those that a table has of other corpora), and for each narrower type the first value that is none.
WITH own AS (
    SELECT level, name, value FROM _store.settled
    UNION ALL
    SELECT level, name, value
    FROM _store.elsewhere
    SEMI JOIN _store.settled USING (level, name)
),
-- A row: a value, and what it may be: a number has no more digits than a DOUBLE keeps.
told AS (
    SELECT level, name, value, regexp_full_match(value, '0|-?[1-9][0-9]{0,17}') AS is_whole,
        regexp_full_match(value, '-?(0|[1-9][0-9]*)(\.[0-9]+)?') AND value <> '-0'
            AND length(regexp_replace(value, '[^0-9]', '', 'g')) <= 15 AS is_number,
        regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND NOT starts_with(value, '0000')
            AND try_cast(value AS DATE) IS NOT NULL AS is_date
    FROM own
)
SELECT level, name, CASE
    WHEN bool_and(is_whole) THEN 'BIGINT'
    WHEN bool_and(is_number) THEN 'DOUBLE'
    WHEN bool_and(is_date) THEN 'DATE'
    ELSE 'VARCHAR'
END AS type, min(value) FILTER (NOT is_whole) AS not_whole, min(value) FILTER (NOT is_number) AS not_number,
    min(value) FILTER (NOT is_date) AS not_date
FROM told
GROUP BY level, name
ORDER BY level, name;
