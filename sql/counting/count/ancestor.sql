-- A row: a packed node, an ancestor at most max_order steps above it, and the labels walked: the last of them, and all
-- as the digits of one number, the first step highest. wide is a type of integers that is wide enough for it.
-- @wide@: an integer type that holds max_order labels.
CREATE OR REPLACE TEMP TABLE ancestor AS
WITH RECURSIVE node AS MATERIALIZED (
    SELECT node, parent_node, label_id
    FROM packed
    WHERE token = node AND parent_node IS NOT NULL
),
ancestor (node, ancestor, height, last_label, labels) AS (
    SELECT node, parent_node, 1, label_id, label_id::@wide@
    FROM node
    WHERE getvariable('max_order') >= 1
    UNION ALL
    SELECT ancestor.node, node.parent_node, ancestor.height + 1, node.label_id,
        ancestor.labels * getvariable('base') + node.label_id
    FROM ancestor
    JOIN node ON node.node = ancestor.ancestor
    WHERE ancestor.height < getvariable('max_order')
)
SELECT node, ancestor, height, last_label, labels
FROM ancestor;
