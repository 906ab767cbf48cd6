-- Adds a row for each path that the lexicon has not met. A path and its inverse always come together.
INSERT INTO _store.path (id, text, path_order, inverse_id, count)
WITH met AS (
    SELECT path AS text, inverse FROM path_code
    UNION
    SELECT inverse, path FROM path_code
    UNION
    SELECT '', ''
),
numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY text) AS id, text, inverse
    FROM met
    ANTI JOIN _store.path ON path.text = met.text
)
SELECT numbered.id, numbered.text, len(regexp_extract_all(numbered.text, '[<>]')), inverse.id, 0
FROM numbered
JOIN numbered AS inverse ON inverse.text = numbered.inverse;
