-- Adds a row for each lexeme, path and context of the chunk with its count, for one direction of each path, and for ε.
INSERT INTO counted (lexeme_id, path_id, context_id, count)
WITH coded AS (
    SELECT path_code.up, path_code.down, path.id AS path_id
    FROM path_code
    JOIN _store.path ON path.text = path_code.path
)
SELECT x.lexeme_id, coded.path_id, y.lexeme_id, sum(x.tokens::BIGINT * y.tokens)::BIGINT
FROM node_pair
JOIN coded ON coded.up = node_pair.up AND coded.down = node_pair.down
JOIN node_lexeme AS x ON x.node = node_pair.x
JOIN node_lexeme AS y ON y.node = node_pair.y
GROUP BY x.lexeme_id, coded.path_id, y.lexeme_id
UNION ALL
SELECT x.lexeme_id, (SELECT id FROM _store.path WHERE text = ''), y.lexeme_id, sum(x.tokens::BIGINT * y.tokens)::BIGINT
FROM node_lexeme AS x
JOIN node_lexeme AS y ON y.node = x.node
GROUP BY x.lexeme_id, y.lexeme_id;
