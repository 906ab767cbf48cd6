-- Adds what the file counted to the marginals: how often a lexeme meets anything along a path.
MERGE INTO _store.node
USING (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count
    FROM added
    GROUP BY lexeme_id, path_id
    ORDER BY lexeme_id, path_id
) AS added
ON node.lexeme_id = added.lexeme_id AND node.path_id = added.path_id
WHEN MATCHED THEN UPDATE SET count = node.count + added.count
WHEN NOT MATCHED THEN INSERT (lexeme_id, path_id, count) VALUES (added.lexeme_id, added.path_id, added.count);
