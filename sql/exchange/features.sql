-- A row: a feature that has weights, its number from 0, and its name as the format can hold it.
-- @unfit@: a regular expression of what cannot stand in a name.
CREATE TEMP TABLE _staged_column AS
SELECT met.path, met.context, (row_number() OVER (ORDER BY met.path, met.context) - 1)::INTEGER AS number,
    coalesce(nullif(path.text, ''), 'ε') || '|' || word.text AS text,
    regexp_replace(coalesce(nullif(path.text, ''), 'ε') || '|' || word.text, @unfit@, '_', 'g') AS name
FROM (SELECT DISTINCT path, context FROM _staged_weight) AS met
JOIN _staged_path AS path ON path.place = met.path
JOIN _staged_word AS word ON word.place = met.context;
