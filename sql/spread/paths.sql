-- A row: a path, its inverse, its order, and all that is counted along it.
SELECT path_id, path, inverse_id, path_order, count
FROM numbered_path;
