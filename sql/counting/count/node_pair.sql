-- A row: two packed nodes at most max_order steps apart, and the way from x to y: the labels up from x to the node
-- where the two meet, and those up from y to it. Only one of the two directions is a row, the one that climbs further
-- or, where both climb alike, ends on the lesser label; the other is its mirror image. Both meet at a node from
-- first_node to last_node.
CREATE OR REPLACE TEMP TABLE node_pair AS
SELECT node AS x, ancestor AS y, labels AS up, 0 AS down
FROM ancestor
WHERE ancestor BETWEEN getvariable('first_node') AND getvariable('last_node')
UNION ALL
SELECT long.node, short.node, long.labels, short.labels
FROM ancestor AS long
JOIN ancestor AS short ON short.ancestor = long.ancestor
WHERE long.ancestor BETWEEN getvariable('first_node') AND getvariable('last_node')
    AND long.height < getvariable('max_order')
    AND short.height <= getvariable('max_order') // 2
    AND long.height + short.height <= getvariable('max_order')
    AND CASE
        WHEN long.height = short.height THEN long.last_label < short.last_label
        ELSE long.height > short.height AND long.last_label <> short.last_label
    END;
