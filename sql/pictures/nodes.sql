-- A row: one of the heaviest contexts at a node that is drawn, with the context's weight; NULL at a node that has none
-- and is only on the way to others. reach: the weights of all that the node leads to. The nodes that reach most are
-- drawn, so that the node before a node that is drawn is drawn too.
-- @query@: the APT.
-- @relations@: labels (amod) and steps (<obj) of which drawn paths consist, or NULL.
-- @most_steps@: how long drawn paths are at most, or NULL.
-- @own@: the nodes of a phrase's own tree, and those on the way to them, which are drawn in any case.
-- @max_nodes@: how many nodes are drawn at most, these among them.
-- @top@: how many contexts are shown at each.
WITH feature AS MATERIALIZED (
    SELECT path, context, weight FROM (@query@)
),
own AS (
    SELECT path, sum(abs(weight)) AS weight, count(*) AS contexts FROM feature GROUP BY path
),
-- A row: a node, by its steps.
apart AS (
    SELECT own.*, _store.path_steps(own.path) AS steps FROM own
),
wanted AS (
    SELECT path, steps, weight FROM apart
    WHERE (@relations@ IS NULL OR list_bool_and(list_transform(
        steps, lambda step: list_contains(@relations@, step) OR list_contains(@relations@, step[2:])
    )) IS NOT false)
    AND (@most_steps@ IS NULL OR len(steps) <= @most_steps@)
),
-- A row: a node, or one on the way to it, for each node that it leads to.
reaching AS (
    SELECT unnest(list_transform(
        range(0, len(steps) + 1), lambda number: array_to_string(list_slice(steps, 1, number), '')
    )) AS path, weight
    FROM wanted
    UNION ALL
    SELECT unnest(@own@), 0
),
node AS (
    SELECT path, round(sum(weight), 9) AS reach, path_order(path) AS number_of_steps,
        list_contains(@own@, path) AS is_own
    FROM reaching
    GROUP BY path
    ORDER BY path <> '', NOT is_own, reach DESC, number_of_steps ASC, path ASC
    LIMIT greatest(@max_nodes@, len(@own@))
),
ranked AS (
    SELECT path, context, weight, row_number() OVER (
        PARTITION BY path ORDER BY round(abs(weight), 12) DESC, context ASC
    ) AS place
    FROM feature
    SEMI JOIN node USING (path)
)
SELECT node.path, node.reach, coalesce(own.contexts, 0) AS contexts, ranked.context, ranked.weight
FROM node
LEFT JOIN own ON own.path = node.path
LEFT JOIN ranked ON ranked.path = node.path AND ranked.place <= @top@
ORDER BY node.number_of_steps ASC, node.reach DESC, node.path ASC, ranked.place ASC;
