-- Writes the nodes of a slice likewise. A new node is numbered on from the last of all.
INSERT INTO _store.node_again (id, lexeme_id, path_id, count)
SELECT before.id, before.lexeme_id, before.path_id, before.count + coalesce(gained.count, 0)
FROM _store.node AS before
LEFT JOIN (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM slice GROUP BY lexeme_id, path_id
) AS gained ON gained.lexeme_id = before.lexeme_id AND gained.path_id = before.path_id
WHERE before.lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    AND before.count + coalesce(gained.count, 0) <> 0;

SET VARIABLE last_node = (
    SELECT coalesce(max(id), 0) FROM (SELECT id FROM _store.node UNION ALL SELECT id FROM _store.node_again)
);

INSERT INTO _store.node_again (id, lexeme_id, path_id, count)
SELECT getvariable('last_node') + row_number() OVER (ORDER BY slice.lexeme_id, slice.path_id), slice.lexeme_id,
    slice.path_id, sum(slice.count)::BIGINT
FROM slice
ANTI JOIN (
    SELECT lexeme_id, path_id
    FROM _store.node
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
) AS before ON before.lexeme_id = slice.lexeme_id AND before.path_id = slice.path_id
GROUP BY slice.lexeme_id, slice.path_id
ORDER BY slice.lexeme_id, slice.path_id;
