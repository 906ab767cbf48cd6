-- A row: an order, with its paths, the co-occurrences along them, and the sum of their counts.
SELECT path.path_order AS "order", count(*) AS paths, sum(along.cooccurrences)::BIGINT AS "co-occurrences",
    sum(path.count)::BIGINT AS "sum of counts"
FROM _store.path
JOIN (
    SELECT path_id, count(*) AS cooccurrences FROM _store.cooccurrence GROUP BY path_id
) AS along ON along.path_id = path.id
GROUP BY path.path_order
ORDER BY path.path_order;
