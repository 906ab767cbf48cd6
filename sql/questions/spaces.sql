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
-- A row: a feature along paths that is reduced, by its number from 0.
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

-- name: near_feature
-- A row: a lexeme that is decomposed, as a feature along ~ (path 0) of those that stand near it.
-- @lexemes@: how many are decomposed.
CREATE OR REPLACE TEMP TABLE reduced_near_feature AS
SELECT number, 0 AS path_id, lexeme_id AS context_id
FROM reduced_lexeme
WHERE number < @lexemes@;

-- name: near
-- A row: a lexeme that gets a vector, a feature of the window, by their numbers, and how often the one stands within so
-- many tokens of the other in a sentence, each time (N + 1 − distance) / N.
-- @tokens@: the number of tokens.
CREATE OR REPLACE TEMP TABLE reduced_near AS
WITH placed AS MATERIALIZED (
    SELECT node.sentence_id, node.position, lexeme.number
    FROM _store.stored_node AS node
    JOIN _store.word ON word.id = node.word_id
    JOIN reduced_lexeme AS lexeme ON lexeme.lexeme_id = word.lexeme_id
)
SELECT own.number AS lexeme, near.number AS feature,
    sum(@tokens@ + 1 - abs(near.position - own.position))::DOUBLE / @tokens@ AS count
FROM placed AS own
JOIN placed AS near ON near.sentence_id = own.sentence_id
    AND near.position BETWEEN own.position - @tokens@ AND own.position + @tokens@ AND near.position <> own.position
WHERE near.number < (SELECT count(*) FROM reduced_near_feature)
GROUP BY own.number, near.number
ORDER BY own.number ASC, near.number ASC;

-- name: near_weights
-- A row: ppmi of one of these lexemes and what stands near it, as _store.near_weights has it.
-- @first@: the number of the first lexeme.
-- @last@: the number after that of the last.
WITH counted AS MATERIALIZED (FROM reduced_near WHERE lexeme >= @first@ AND lexeme < @last@),
total AS (SELECT lexeme, sum(count) AS count FROM counted GROUP BY lexeme),
share AS (
    SELECT feature.number AS feature, known.frequency ** 0.75 / sum(known.frequency ** 0.75) OVER () AS share
    FROM reduced_near_feature AS feature
    JOIN _store.lexeme AS known ON known.id = feature.context_id
)
SELECT counted.lexeme, counted.feature, ln(counted.count / total.count / share.share) AS weight
FROM counted
JOIN total ON total.lexeme = counted.lexeme
JOIN share ON share.feature = counted.feature
WHERE counted.count / total.count > share.share
ORDER BY counted.lexeme ASC, counted.feature ASC;

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
FROM _store.plain_weights('asked', 'ppmi', 'ppmi') AS known
JOIN reduced_feature AS feature ON feature.feature_id = known.feature_id
JOIN reduced_lexeme AS lexeme ON lexeme.lexeme_id = known.lexeme_id
WHERE known.weight > ln(@shift@::DOUBLE)
ORDER BY lexeme.number ASC, feature.number ASC;

-- name: number_of_features
-- One row: how many features there are.
-- @features@: the features: reduced_feature or reduced_near_feature.
SELECT count(*) FROM @features@;

-- name: keep_features
-- Keeps the projections of features that some lexeme has. They come as one column of numbers (brought), feature by
-- feature.
-- @id@: the id of the space.
-- @features@: the features: reduced_feature or reduced_near_feature.
-- @first@: the number of the first feature.
-- @dimensions@: the dimensions of a projection.
INSERT INTO _store.space_feature (space_id, path_id, context_id, scale, projection)
SELECT @id@, feature.path_id, feature.context_id, any_value(brought.scale), list(brought.value ORDER BY brought.place)
FROM brought
JOIN @features@ AS feature ON feature.number = @first@ + brought.place // @dimensions@
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

-- name: lexemes_of
-- A row: a lexeme that has a vector in a space, and its part of speech, the most frequent first.
-- @id@: the space.
SELECT lexeme.text, lexeme.pos
FROM _store.space_vector AS stored
JOIN _store.lexeme ON lexeme.id = stored.lexeme_id
WHERE stored.space_id = @id@
ORDER BY lexeme.frequency DESC, lexeme.text ASC;

-- name: numbers_of
-- A row: a number of these vectors, vector by vector.
-- @id@: the space.
SELECT unnest(vector) AS value
FROM (
    SELECT stored.vector
    FROM _store.space_vector AS stored
    JOIN _store.lexeme ON lexeme.id = stored.lexeme_id
    WHERE stored.space_id = @id@
    ORDER BY lexeme.frequency DESC, lexeme.text ASC
);

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
    SELECT CASE WHEN stored.path_id = 0 THEN '~' ELSE coalesce(nullif(path.text, ''), 'ε') END
        || '|' || context.text AS text,
        stored.scale,
        list_resize([]::SMALLINT[], CASE WHEN stored.path_id = 0 THEN space.tree_dimensions ELSE 0 END, 0)
        || stored.projection || list_resize(
            []::SMALLINT[], CASE WHEN stored.path_id = 0 THEN 0 ELSE space.dimensions - space.tree_dimensions END, 0
        ) AS projection
    FROM _store.space_feature AS stored
    JOIN _store.reduced_space AS space ON space.id = stored.space_id
    LEFT JOIN _store.path ON path.id = stored.path_id
    JOIN _store.lexeme AS context ON context.id = stored.context_id
    WHERE stored.space_id = @id@
) AS feature
ORDER BY feature.text ASC;
