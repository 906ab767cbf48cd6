-- Senses: what is grouped, and what is shown and stored of the groups.

-- name: features
-- A row: a number of the projection of a feature of a lexeme that its space has, feature by feature, with the weight of
-- the feature under the space's scheme.
-- @lexeme@: the lexeme.
-- @space@: the name of the space.
WITH asked AS MATERIALIZED (SELECT id AS lexeme_id FROM _store.lexeme WHERE text = @lexeme@),
weight AS MATERIALIZED (
    SELECT known.path_id, known.context_id, known.weight - ln(_store.space_number(@space@, 'shift')) AS weight
    FROM _store.plain_weights('asked', 'ppmi', 'ppmi') AS known
    WHERE known.weight > ln(_store.space_number(@space@, 'shift'))
),
feature AS MATERIALIZED (
    SELECT weight.path_id, weight.context_id, weight.weight, stored.scale, stored.projection
    FROM weight
    JOIN _store.space_feature AS stored
        ON stored.path_id = weight.path_id AND stored.context_id = weight.context_id
    WHERE stored.space_id = _store.space_id(@space@)
    ORDER BY weight.path_id ASC, weight.context_id ASC
)
SELECT path_id, context_id, weight, unnest(projection) * scale AS value
FROM feature;

-- name: occurrences
-- A row: a word that an occurrence of a lexeme meets in its tree, by its path; those of an occurrence come together.
-- @lexeme@: the lexeme.
-- @among@: the condition that holds of the occurrences that are wanted.
SELECT DISTINCT sentence_id, position, path_id, context_id
FROM _store.occurrence_feature(@lexeme@)
WHERE @among@
ORDER BY sentence_id, position, path_id, context_id;

-- name: first_of_matches
-- A row: the first node of a match, as sentence and position.
-- @pattern@: the pattern, as pattern('…').
SELECT row(hit.sentence_id, hit.position) AS place
FROM _store.pattern_hit(_store.pattern_asked(@pattern@), NULL) AS hit;

-- name: number_among
-- One row: how many occurrences of a lexeme a condition holds of.
-- @lexeme@: the lexeme.
-- @among@: the condition.
WITH _asked AS MATERIALIZED (FROM _store.lexeme_asked(@lexeme@, NULL))
SELECT count(*) AS times FROM _store.node_asked('_asked', NULL) WHERE @among@;

-- name: telling
-- A row: a feature that tells a group of the relation `grouped` from the others, those that tell most. `met` has the
-- features of the occurrences.
-- @top@: how many of each group.
SELECT sense, path, context
FROM _store.telling_feature('grouped', 'met')
QUALIFY row_number() OVER (PARTITION BY sense ORDER BY g2 DESC, path ASC, context ASC) <= @top@
ORDER BY sense ASC, g2 DESC, path ASC, context ASC;

-- name: near
-- A row: a lexeme that is nearest to the centre of a group (relation `centre`: sense, dimension, value) in its space,
-- of the same part of speech, other than the lexeme itself. (Occurrences meet words along paths, so that of a vector
-- with a window its half of the trees is compared.)
-- @lexeme@: the lexeme.
-- @space@: the name of the space.
-- @top@: how many of each group.
WITH asked AS MATERIALIZED (SELECT id, pos FROM _store.lexeme WHERE text = @lexeme@),
wanted AS MATERIALIZED (
    SELECT sense, list(value::FLOAT ORDER BY dimension ASC) AS vector FROM centre GROUP BY sense
),
stored AS MATERIALIZED (
    SELECT half.lexeme_id, half.vector, half.length
    FROM (
        SELECT known.lexeme_id, known.vector[1:_store.space_count(@space@, 'tree_dimensions')] AS vector, CASE
                WHEN _store.space_count(@space@, 'window') = 0 THEN 1
                ELSE sqrt(list_inner_product(
                    known.vector[1:_store.space_count(@space@, 'tree_dimensions')],
                    known.vector[1:_store.space_count(@space@, 'tree_dimensions')]
                ))
            END AS length
        FROM _store.vectors_of(@space@) AS known
    ) AS half
    WHERE half.length > 0
),
ranked AS (
    SELECT wanted.sense, lexeme.text AS lexeme, lexeme.frequency,
        round(list_inner_product(wanted.vector, stored.vector)::DOUBLE / stored.length, 6) AS similarity
    FROM wanted
    CROSS JOIN stored
    JOIN _store.lexeme ON lexeme.id = stored.lexeme_id
    JOIN asked ON asked.pos IS NOT DISTINCT FROM lexeme.pos AND asked.id <> lexeme.id
)
SELECT sense, lexeme
FROM ranked
QUALIFY row_number() OVER (PARTITION BY sense ORDER BY similarity DESC, frequency DESC, lexeme ASC) <= @top@
ORDER BY sense ASC, similarity DESC, frequency DESC, lexeme ASC;

-- name: examples
-- A row: a good example of a group (relation `grouped`): of the quarter of its sentences that is nearest to its centre,
-- but of no more than a thousand, those that evidence would put first; each text once.
-- @top@: how many of each group.
WITH _near AS MATERIALIZED (
    SELECT grouped.sense, min(grouped.sentence_id) AS sentence_id,
        min_by(grouped.position, [grouped.sentence_id, grouped.position]) AS position,
        NULL::INTEGER AS last_position, count(*) OVER (PARTITION BY grouped.sense) AS texts
    FROM grouped
    JOIN sentences ON sentences.sentence = grouped.sentence_id
    GROUP BY grouped.sense, sentences.text
    QUALIFY row_number() OVER (
        PARTITION BY grouped.sense ORDER BY max(grouped.similarity) DESC, min(grouped.sentence_id) ASC
    ) <= least(greatest(@top@, ceil(texts / 4)), 1000)
),
_token AS MATERIALIZED (FROM _store.token_of('_near')),
_line AS (
    FROM _store.line_of('_near', '_token', '', NULL)
    QUALIFY row_number() OVER (PARTITION BY sense ORDER BY round(score, 12) DESC, sentence_id ASC) <= @top@
)
SELECT sense, trim(_store.text_of(words)) AS text
FROM _line
ORDER BY sense ASC, round(score, 12) DESC, sentence_id ASC;

-- name: centres
-- A row: a stored sense of a lexeme: its centre, its space and its state.
-- @lexeme@: the lexeme.
SELECT sense.vector, own.made['space'] AS space, own.state
FROM _store.sense
JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
WHERE own.name = @lexeme@
ORDER BY sense.number ASC;

-- name: stored
-- A row: an occurrence of a lexeme with its stored sense, as `grouped` has it.
-- @lexeme@: the lexeme.
SELECT * FROM _store.sensed(@lexeme@) ORDER BY sense, sentence_id, position;

-- name: keep_occurrences
-- Keeps the sense of each occurrence of the relation `grouped`.
-- @first@: the number before the id of the first sense.
INSERT INTO _store.sense_occurrence (sense_id, sentence_id, position, similarity)
SELECT @first@ + sense, sentence_id, position, similarity
FROM grouped
ORDER BY sense, sentence_id, position;

-- name: forget_occurrences
-- Deletes the occurrences of the senses of a lexeme.
-- $id: the senses.
DELETE FROM _store.sense_occurrence
WHERE sense_id IN (SELECT id FROM _store.sense WHERE senses_id = $id);
