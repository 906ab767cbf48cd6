-- A row: a node of a tree, by its token, and the packed node that it belongs to (design 2): the nodes of one tree whose
-- relations from the root down are the same. A packed node is named by its first token. Each turn of the recursion is
-- one level of all the trees.
CREATE OR REPLACE TEMP TABLE packed AS
WITH RECURSIVE packed (token, word_id, node, parent_node, label_id) AS (
    SELECT number, word_id, number, NULL::INTEGER, NULL::INTEGER
    FROM node
    WHERE head_number IS NULL
    UNION ALL
    (
        WITH child AS (
            SELECT node.number, node.word_id, packed.node AS parent_node, node.label_id
            FROM packed
            JOIN node ON node.head_number = packed.token
        ),
        first_child AS (
            SELECT parent_node, label_id, min(number) AS node
            FROM child
            GROUP BY parent_node, label_id
        )
        SELECT child.number, child.word_id, first_child.node, child.parent_node, child.label_id
        FROM child
        JOIN first_child USING (parent_node, label_id)
    )
)
SELECT token, word_id, node, parent_node, label_id
FROM packed;
