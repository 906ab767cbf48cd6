-- A row: one weight from a user's own relation, by text, which stands for ids.
-- @weights@: the relation by name.
CREATE TEMP TABLE _own_weight AS
SELECT lexeme::VARCHAR AS lexeme_id, path::VARCHAR AS path_id, context::VARCHAR AS context_id, weight
FROM _store.own_row(@weights@);

-- A row: a lexeme or a context of it.
CREATE TEMP VIEW _named_word AS
SELECT lexeme_id AS id, lexeme_id AS text FROM _own_weight
UNION
SELECT context_id, context_id FROM _own_weight;

-- A row: a path of it.
CREATE TEMP VIEW _named_path AS SELECT DISTINCT path_id AS id, path_id AS text FROM _own_weight;

-- A row: one of these weights, under the name that known weights have.
CREATE TEMP VIEW _named_weight AS FROM _own_weight;
