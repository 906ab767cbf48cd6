-- A row: a path whose inverse, or order, is not that of its text.
SELECT 'path' AS what, coalesce(nullif(path.text, ''), 'ε') AS row,
    'inverse ' || coalesce(nullif(inverse.text, ''), CASE WHEN inverse.id IS NULL THEN 'missing' ELSE 'ε' END)
    || ', order ' || path.path_order AS found,
    'inverse ' || coalesce(nullif(path_inverse(path.text), ''), 'ε') || ', order ' || path_order(path.text) AS expected
FROM _store.path
LEFT JOIN _store.path AS inverse ON inverse.id = path.inverse_id
WHERE inverse.text IS DISTINCT FROM path_inverse(path.text) OR path.path_order <> path_order(path.text);
