-- One row: the first path of the folder that cannot be so, and what is wrong with it; no row if all are right.
SELECT path_id AS row, problem
FROM (
    SELECT own.path_id, CASE
        WHEN coalesce(own.path_id <> own.number, true) THEN 'the ids are not 1, 2, 3, …'
        WHEN own.times > 1 THEN 'its text is there twice'
        WHEN own.path IS NULL OR NOT (own.path = '' OR coalesce(path_is_valid(own.path), false)) THEN
            'it is ' || coalesce('''' || left(own.path, 60) || '''', 'missing')
            || '; a path is reduced, ups before downs, e.g. <amod>nsubj, and empty for ε'
        WHEN coalesce(own.path_order <> path_order(own.path), true) THEN
            'its order is ' || path_order(own.path) || ', not ' || coalesce(own.path_order::VARCHAR, 'missing')
        WHEN own.path_order > getvariable('max_order') THEN
            'its order is ' || own.path_order || '; the settings count up to ' || getvariable('max_order')
        WHEN coalesce(inverse.path <> path_inverse(own.path), true) THEN
            'its inverse is not ''' || left(path_inverse(own.path), 60) || ''''
        WHEN coalesce(own.count < 1, true) THEN
            'its count is ' || coalesce(own.count::VARCHAR, 'missing') || '; it is 1 or more'
    END AS problem
    FROM (
        SELECT *, row_number() OVER (ORDER BY path_id) AS number, count(*) OVER (PARTITION BY path) AS times
        FROM folder_path
    ) AS own
    LEFT JOIN folder_path AS inverse ON inverse.path_id = own.inverse_id
)
WHERE problem IS NOT NULL
ORDER BY row
LIMIT 1;
