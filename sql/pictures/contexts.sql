-- A row: one of the heaviest contexts at a node, with its weight, and how many the node has.
-- @query@: the APT.
-- @back@: a path; the APT is seen from its end.
-- @top@: how many contexts are shown at each node.
-- $paths: the nodes.
WITH feature AS MATERIALIZED (
    SELECT path_offset(path, @back@) AS path, context, weight FROM (@query@)
)
SELECT path, count(*) OVER (PARTITION BY path) AS contexts, context, weight
FROM feature
WHERE list_contains($paths, path)
QUALIFY row_number() OVER (PARTITION BY path ORDER BY round(abs(weight), 12) DESC, context ASC) <= @top@
ORDER BY path ASC, round(abs(weight), 12) DESC, context ASC;
