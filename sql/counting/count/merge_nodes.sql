-- Adds what was counted to the marginals: how often a lexeme meets anything along a path. A new node is numbered on.
MERGE INTO _store.node
USING (
    SELECT added.lexeme_id, added.path_id, added.count,
        (SELECT coalesce(max(id), 0) FROM _store.node) + row_number() OVER (
            PARTITION BY node.id IS NULL ORDER BY added.lexeme_id, added.path_id
        ) AS id
    FROM (
        SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM added GROUP BY lexeme_id, path_id
    ) AS added
    LEFT JOIN _store.node ON node.lexeme_id = added.lexeme_id AND node.path_id = added.path_id
    ORDER BY added.lexeme_id, added.path_id
) AS added
ON node.lexeme_id = added.lexeme_id AND node.path_id = added.path_id
WHEN MATCHED AND node.count + added.count = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET count = node.count + added.count
WHEN NOT MATCHED THEN INSERT (id, lexeme_id, path_id, count)
    VALUES (added.id, added.lexeme_id, added.path_id, added.count);
