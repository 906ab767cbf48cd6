-- Adds a row for each lexeme, path and context that two packed nodes hold, with the pairs of tokens that they are, for
-- one direction of each path; and for ε. Most are met but once in a chunk, so that they are summed over many
-- (fold_counted).
INSERT INTO _store.counted (lexeme_id, path_id, context_id, count)
WITH coded AS (
    SELECT path_code.up, path_code.down, path.id AS path_id
    FROM path_code
    JOIN _store.path ON path.text = path_code.path
)
SELECT x.lexeme_id, coded.path_id, y.lexeme_id, x.tokens::BIGINT * y.tokens
FROM node_pair
JOIN coded ON coded.up = node_pair.up AND coded.down = node_pair.down
JOIN node_lexeme AS x ON x.node = node_pair.x
JOIN node_lexeme AS y ON y.node = node_pair.y
UNION ALL
SELECT x.lexeme_id, (SELECT id FROM _store.path WHERE text = ''), y.lexeme_id, x.tokens::BIGINT * y.tokens
FROM node_lexeme AS x
JOIN node_lexeme AS y ON y.node = x.node
WHERE x.node BETWEEN getvariable('first_node') AND getvariable('last_node');
