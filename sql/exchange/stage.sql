-- A row: a lexeme or context, and its place by text.
-- @unfit@: a regular expression of what cannot stand in a name.
-- @weights@: the relation of the weights, by ids.
-- @size@: how many weights a part has.
CREATE TEMP TABLE _staged_word AS
SELECT id, text, (row_number() OVER (ORDER BY text))::INTEGER AS place FROM _named_word;

-- A row: a path, and its place by text.
CREATE TEMP TABLE _staged_path AS
SELECT id, text, (row_number() OVER (ORDER BY text))::INTEGER AS place FROM _named_path;

-- A row: one weight that is written, by the places of its lexeme, path and context, and in their order. Numbers are
-- sorted some ten times faster than the texts that they stand for.
CREATE TEMP TABLE _staged_weight AS
SELECT lexeme.place AS lexeme, path.place AS path, context.place AS context, weight.weight
FROM @weights@ AS weight
JOIN _staged_word AS lexeme ON lexeme.id = weight.lexeme_id
JOIN _staged_path AS path ON path.id = weight.path_id
JOIN _staged_word AS context ON context.id = weight.context_id
ORDER BY ALL;

-- A row: a lexeme that has weights, its number from 0, its name as the format can hold it, and the part that it is
-- written in: as many lexemes as have some @size@ weights together.
CREATE TEMP TABLE _staged_row AS
SELECT place, (row_number() OVER (ORDER BY place) - 1)::INTEGER AS number, word.text,
    regexp_replace(word.text, @unfit@, '_', 'g') AS name, weights,
    ((sum(weights) OVER (ORDER BY place) - 1) // @size@)::INTEGER AS part
FROM (SELECT lexeme AS place, count(*) AS weights FROM _staged_weight GROUP BY lexeme) AS counted
JOIN _staged_word AS word USING (place);
