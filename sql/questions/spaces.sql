-- Reduced spaces: what is decomposed, and what is stored of it.

-- name: frequent
-- One row: how many lexemes of these parts of speech occur so often, the least frequency of those that get a vector,
-- and the tokens of the lexicon.
-- @pos@: the parts of speech.
-- @min_frequency@: the frequency of those that are decomposed.
SELECT count(*) FILTER (WHERE lexeme.frequency >= @min_frequency@) AS lexemes,
    least(@min_frequency@, (SELECT _store.default_min_frequency(NULL))) AS least_frequency
FROM _store.lexeme
WHERE list_contains(@pos@, lexeme.pos);

-- name: unknown_pos
-- A row: a part of speech of these that no lexeme has.
-- @pos@: the parts of speech.
SELECT unnest(@pos@) AS part_of_speech
EXCEPT
SELECT pos FROM _store.lexeme;

-- name: feature
-- A row: a feature that is reduced, by its number from 0.
-- @pos@: the parts of speech of contexts.
-- @min_feature_count@: how often it is counted.
-- @max_order@: the most steps of its path.
CREATE OR REPLACE TEMP TABLE reduced_feature AS
WITH found AS (
    SELECT path.inverse_id AS path_id, node.lexeme_id AS context_id, node.id AS feature_id
    FROM _store.node
    JOIN _store.path ON path.id = node.path_id
    JOIN _store.lexeme ON lexeme.id = node.lexeme_id
    WHERE node.count >= @min_feature_count@ AND path.path_order <= @max_order@ AND list_contains(@pos@, lexeme.pos)
)
SELECT (row_number() OVER (ORDER BY path_id ASC, context_id ASC) - 1)::INTEGER AS number, path_id, context_id,
    feature_id
FROM found;

-- name: lexeme
-- A row: a lexeme that gets a vector, by its number from 0: those that are decomposed come first.
-- @pos@: the parts of speech.
-- @least_frequency@: the fewest tokens of one.
CREATE OR REPLACE TEMP TABLE reduced_lexeme AS
SELECT (row_number() OVER (ORDER BY frequency DESC, id ASC) - 1)::INTEGER AS number, id AS lexeme_id
FROM _store.lexeme
WHERE frequency >= @least_frequency@ AND list_contains(@pos@, pos);

-- name: weights
-- A row: a weight of one of these lexemes for one of these features, by their numbers.
-- @shift@: the shift of ppmi.
-- @first@: the number of the first lexeme.
-- @last@: the number after that of the last.
WITH asked AS MATERIALIZED (SELECT lexeme_id FROM reduced_lexeme WHERE number >= @first@ AND number < @last@)
SELECT lexeme.number AS lexeme, feature.number AS feature, known.weight - ln(@shift@::DOUBLE) AS weight
FROM _store.scheme_weights('asked', 'ppmi', 'ppmi', _store.no_options()) AS known
JOIN reduced_feature AS feature ON feature.feature_id = known.feature_id
JOIN reduced_lexeme AS lexeme ON lexeme.lexeme_id = known.lexeme_id
WHERE known.weight > ln(@shift@::DOUBLE)
ORDER BY lexeme.number ASC, feature.number ASC;

-- name: keep_features
-- Keeps the projections of features that some lexeme has. They come as one column of numbers (brought), feature by
-- feature.
-- @id@: the id of the space.
-- @first@: the number of the first feature.
-- @dimensions@: the dimensions of the space.
INSERT INTO _store.space_feature (space_id, path_id, context_id, scale, projection)
SELECT @id@, feature.path_id, feature.context_id, any_value(brought.scale), list(brought.value ORDER BY brought.place)
FROM brought
JOIN reduced_feature AS feature ON feature.number = @first@ + brought.place // @dimensions@
GROUP BY feature.number, feature.path_id, feature.context_id
HAVING any_value(brought.scale) > 0
ORDER BY feature.path_id, feature.context_id;

-- name: keep_vectors
-- Keeps the vectors of lexemes, which come in the same way. A lexeme without a feature has none.
-- @id@: the id of the space.
-- @first@: the number of the first lexeme.
-- @dimensions@: the dimensions of the space.
INSERT INTO _store.space_vector (space_id, lexeme_id, vector)
SELECT @id@, lexeme.lexeme_id, list(brought.value ORDER BY brought.place)
FROM brought
JOIN reduced_lexeme AS lexeme ON lexeme.number = @first@ + brought.place // @dimensions@
GROUP BY lexeme.number, lexeme.lexeme_id
HAVING max(abs(brought.value)) > 0
ORDER BY lexeme.lexeme_id;

-- name: sizes
-- One row: how many features and vectors a space has.
-- @id@: the id of the space.
SELECT (SELECT count(*) FROM _store.space_feature WHERE space_id = @id@) AS features,
    (SELECT count(*) FROM _store.space_vector WHERE space_id = @id@) AS vectors;

-- name: vectors
-- A row: a lexeme of a space, as a name that a file can hold, whether that differs from the lexeme, and its vector, the
-- most frequent first.
-- @id@: the space.
-- @unfit@: a regular expression of what cannot stand in a name.
SELECT regexp_replace(lexeme.text, @unfit@, '_', 'g') AS name, regexp_matches(lexeme.text, @unfit@) AS renamed,
    1 AS scale, stored.vector
FROM _store.space_vector AS stored
JOIN _store.lexeme ON lexeme.id = stored.lexeme_id
WHERE stored.space_id = @id@
ORDER BY lexeme.frequency DESC, lexeme.text ASC;

-- name: projections
-- A row: a feature of a space, as a name, whether that differs from the feature, and its projection, to be multiplied
-- by scale.
-- @id@: the space.
-- @unfit@: a regular expression of what cannot stand in a name.
SELECT regexp_replace(feature.text, @unfit@, '_', 'g') AS name, regexp_matches(feature.text, @unfit@) AS renamed,
    feature.scale, feature.projection
FROM (
    SELECT coalesce(nullif(path.text, ''), 'ε') || '|' || context.text AS text, stored.scale, stored.projection
    FROM _store.space_feature AS stored
    JOIN _store.path ON path.id = stored.path_id
    JOIN _store.lexeme AS context ON context.id = stored.context_id
    WHERE stored.space_id = @id@
) AS feature
ORDER BY feature.text ASC;
