-- Export: all weights numbered, sorted and read part by part, in the formats of other tools.

-- name: clear
-- Takes away what was staged.
DROP VIEW IF EXISTS _named_weight_of_pos;
DROP VIEW _named_weight;
DROP VIEW _named_path;
DROP VIEW _named_word;
DROP TABLE IF EXISTS _own_weight;
DROP TABLE _staged_weight;
DROP TABLE _staged_row;
DROP TABLE IF EXISTS _staged_column;
DROP TABLE _staged_path;
DROP TABLE _staged_word;

-- name: parts
-- A row: a part, the places of its first and last lexeme, and how many weights it has.
SELECT min(place) AS first, max(place) AS last, sum(weights)::BIGINT AS weights
FROM _staged_row
GROUP BY part
ORDER BY part;

-- name: repeated
-- A row: a lexeme and a feature that have more than one weight.
SELECT lexeme.text AS lexeme, coalesce(nullif(path.text, ''), 'ε') AS path, context.text AS context
FROM (
    SELECT lexeme, path, context FROM _staged_weight GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 1
) AS twice
JOIN _staged_word AS lexeme ON lexeme.place = twice.lexeme
JOIN _staged_path AS path ON path.place = twice.path
JOIN _staged_word AS context ON context.place = twice.context;

-- name: byblo
-- A row: a lexeme of a part with all its features and weights, as a line. DuckDB writes a number with the fewest digits
-- that are read back as the same.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT lexeme.name || chr(9) || string_agg(
    feature.name || chr(9) || weight.weight, chr(9) ORDER BY weight.path, weight.context
) AS line
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
GROUP BY lexeme.place, lexeme.name
ORDER BY lexeme.place;

-- name: clash
-- A row: a name in the table names that two have in common, or that is empty, and of whom it is the name.
-- @names@: the table of names.
SELECT name, min(text) AS one, max(text) AS other, count(*) AS named
FROM @names@
GROUP BY name
HAVING count(*) > 1 OR name = ''
ORDER BY name
LIMIT 1;

-- name: dissect
-- A row: a lexeme of a part with all its features and weights, as lines of three words each.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT string_agg(
    lexeme.name || chr(9) || feature.name || chr(9) || weight.weight, chr(10) ORDER BY weight.path, weight.context
) AS lines
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
GROUP BY lexeme.place
ORDER BY lexeme.place;

-- name: features
-- A row: a feature that has weights, its number from 0, and its name as the format can hold it.
-- @unfit@: a regular expression of what cannot stand in a name.
CREATE TEMP TABLE _staged_column AS
SELECT met.path, met.context, (row_number() OVER (ORDER BY met.path, met.context) - 1)::INTEGER AS number,
    coalesce(nullif(path.text, ''), 'ε') || '|' || word.text AS text,
    regexp_replace(coalesce(nullif(path.text, ''), 'ε') || '|' || word.text, @unfit@, '_', 'g') AS name
FROM (SELECT DISTINCT path, context FROM _staged_weight) AS met
JOIN _staged_path AS path ON path.place = met.path
JOIN _staged_word AS word ON word.place = met.context;

-- name: known
-- A row: a lexeme of the lexicon, which may be a context too.
-- @weights@: the weights by name.
-- @options@: the parameters of their scheme.
CREATE TEMP VIEW _named_word AS SELECT id, text FROM _store.lexeme;

-- A row: a path of the lexicon.
CREATE TEMP VIEW _named_path AS SELECT id, text FROM _store.path;

-- A row: the weight of one co-occurrence, kept or under a built-in scheme, by ids.
CREATE TEMP VIEW _named_weight AS
SELECT lexeme_id, path_id, context_id, weight
FROM _store.known_weights('_store.every_lexeme', false, @weights@, _store.scheme(@weights@), @options@);

-- name: matrix
-- A row: one weight, with the number of its lexeme and that of its feature.
SELECT lexeme.number AS lexeme, feature.number AS feature, weight.weight
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context;

-- name: names
-- One row: names in the table names, from the number first on, a line each.
-- @names@: the table of names.
-- @first@: the number of the first.
-- @size@: how many.
SELECT string_agg(name, chr(10) ORDER BY number) AS lines
FROM @names@
WHERE number >= @first@ AND number < @first@ + @size@;

-- name: of_pos
-- A row: a weight of a lexeme that has one of some parts of speech.
-- @tags@: the parts of speech.
CREATE TEMP VIEW _named_weight_of_pos AS
SELECT weight.lexeme_id, weight.path_id, weight.context_id, weight.weight
FROM _named_weight AS weight
JOIN _named_word AS word ON word.id = weight.lexeme_id
JOIN _store.lexeme ON lexeme.text = word.text
WHERE list_contains(@tags@, lexeme.pos);

-- name: own
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

-- name: parquet
-- A row: one weight of a part, as text.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, weight.weight
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_path AS path ON path.place = weight.path
JOIN _staged_word AS context ON context.place = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
ORDER BY weight.lexeme, weight.path, weight.context;

-- name: sizes
-- One row: how many lexemes there are in the table names, or features, and how many have another name than they
-- should.
-- @names@: the table of names.
SELECT count(*) AS names, count(*) FILTER (name <> text) AS renamed
FROM @names@;

-- name: stage
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

-- name: tags
-- A row: a part of speech of the lexemes, that of most tokens first.
-- @subcorpus@: the subcorpus that is asked of, or NULL.
SELECT pos FROM _store.lexeme_in(@subcorpus@) GROUP BY pos ORDER BY sum(frequency) DESC, pos ASC;
