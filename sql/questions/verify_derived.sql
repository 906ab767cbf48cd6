-- Checks of what is made of counts and stored: weights, entries, evaluations.

-- name: subcorpora
-- A row: a table of a subcorpus whose rows are not those that its sentences come to, by number and digest.
-- @id@: the subcorpus's id here.
-- @again@: its id in the recount.
-- @name@: its name.
-- @choice@: the statement that gives the ids of its sentences.
WITH node_of_whole AS NOT MATERIALIZED (SELECT node.id, node.lexeme_id, node.path_id FROM _store.node),
own AS (
    SELECT 'co-occurrences' AS kind, hash(lexeme_id, path_id, context_id, count, merged) AS digest
    FROM _store.subcorpus_cooccurrence WHERE subcorpus_id = @id@
    UNION ALL
    SELECT 'nodes', hash(id, lexeme_id, path_id, count, merged) FROM _store.subcorpus_node WHERE subcorpus_id = @id@
    UNION ALL
    SELECT 'paths', hash(id, text, path_order, inverse_id, count, merged)
    FROM _store.subcorpus_path WHERE subcorpus_id = @id@
    UNION ALL
    SELECT 'lexemes', hash(id, text, lemma, pos, frequency, cooccurrences, merged)
    FROM _store.subcorpus_lexeme WHERE subcorpus_id = @id@
    UNION ALL
    SELECT 'sentences', hash(sentence_id) FROM _store.subcorpus_sentence WHERE subcorpus_id = @id@
    UNION ALL
    SELECT 'size', hash(made) FROM _store.derived WHERE kind = 'subcorpus' AND id = @id@
),
again AS (
    SELECT 'co-occurrences' AS kind, hash(lexeme.own_id, path.own_id, context.own_id, count, merged) AS digest
    FROM "/recount"._store.subcorpus_cooccurrence AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    JOIN lexeme_id AS context ON context.again_id = counted.context_id
    WHERE counted.subcorpus_id = @again@
    UNION ALL
    SELECT 'nodes', hash(node_of_whole.id, lexeme.own_id, path.own_id, counted.count, counted.merged)
    FROM "/recount"._store.subcorpus_node AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    LEFT JOIN node_of_whole ON node_of_whole.lexeme_id = lexeme.own_id AND node_of_whole.path_id = path.own_id
    WHERE counted.subcorpus_id = @again@
    UNION ALL
    SELECT 'paths', hash(path.own_id, path.text, path_order(path.text), inverse.own_id, counted.count, counted.merged)
    FROM "/recount"._store.subcorpus_path AS counted
    JOIN path_id AS path ON path.again_id = counted.id
    JOIN path_id AS inverse ON inverse.again_id = counted.inverse_id
    WHERE counted.subcorpus_id = @again@
    UNION ALL
    SELECT 'lexemes', hash(lexeme.own_id, lexeme.text, lemma, pos, frequency, cooccurrences, merged)
    FROM "/recount"._store.subcorpus_lexeme AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.id
    WHERE counted.subcorpus_id = @again@
    UNION ALL
    SELECT 'sentences', hash(sentence_id) FROM (@choice@) AS chosen
    UNION ALL
    SELECT 'size', hash(made) FROM "/recount"._store.derived WHERE kind = 'subcorpus' AND id = @again@
),
found AS (SELECT kind, count(*) AS rows, sum(digest::HUGEINT) AS digest FROM own GROUP BY kind),
expected AS (SELECT kind, count(*) AS rows, sum(digest::HUGEINT) AS digest FROM again GROUP BY kind)
SELECT 'subcorpus' AS what, @name@ || ': ' || kind AS row, coalesce(found.rows, 0) || ' rows' AS found,
    coalesce(expected.rows, 0) || ' rows, with other values' AS expected
FROM found
FULL JOIN expected USING (kind)
WHERE found.digest IS DISTINCT FROM expected.digest;

-- name: weightings
-- A row: a weighting that is in no state there is, or whose number of kept weights is another than it records.
WITH kept AS (
    SELECT weighting_id, count(*) AS weights
    FROM _store.kept_weight
    GROUP BY weighting_id
),
sized AS (
    SELECT weighting_id, count(*) AS sizes
    FROM _store.kept_size
    GROUP BY weighting_id
),
known AS (
    SELECT weighting.name, weighting.state, try_cast(weighting.made['weights'] AS BIGINT) AS recorded,
        coalesce(kept.weights, 0) AS weights, coalesce(sized.sizes, 0) AS sizes
    FROM _store.derived AS weighting
    LEFT JOIN kept ON kept.weighting_id = weighting.id
    LEFT JOIN sized ON sized.weighting_id = weighting.id
    WHERE weighting.kind = 'weighting'
)
SELECT 'weighting' AS what, name AS row, concat_ws(' ', state, weights, 'weights,', sizes, 'sizes') AS found,
    CASE WHEN state = 'computed' THEN 'no weights' ELSE 'kept or stale, ' || recorded || ' weights' END AS expected
FROM known
WHERE state NOT IN ('computed', 'kept', 'stale') OR recorded IS DISTINCT FROM weights
    OR (state = 'computed' AND (weights > 0 OR sizes > 0));

-- name: weights
-- A row: a kept weight that differs from the definition of its weighting.
-- @id@: the weighting's id.
-- @name@: its name.
-- @scheme@: its scheme.
WITH kept AS (
    SELECT lexeme_id, feature_id, weight
    FROM _store.kept_weight
    WHERE weighting_id = @id@
),
defined AS (
    SELECT lexeme_id, feature_id, weight
    FROM _store.plain_weights('_store.every_lexeme', @name@, @scheme@)
),
differing AS (
    SELECT coalesce(kept.lexeme_id, defined.lexeme_id) AS lexeme_id,
        coalesce(kept.feature_id, defined.feature_id) AS feature_id, kept.weight AS found, defined.weight AS expected
    FROM kept
    FULL JOIN defined ON defined.lexeme_id = kept.lexeme_id AND defined.feature_id = kept.feature_id
    WHERE kept.weight IS NULL OR defined.weight IS NULL
        OR abs(kept.weight - defined.weight) > 1e-9 * greatest(1, abs(defined.weight))
)
SELECT 'weight' AS what, CASE
        WHEN feature.feature_id IS NULL THEN concat_ws(' ', lexeme.text, 'feature', differing.feature_id)
        ELSE concat_ws(' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text)
    END AS row,
    coalesce(differing.found::VARCHAR, 'none') AS found, coalesce(differing.expected::VARCHAR, 'none') AS expected
FROM differing
LEFT JOIN _store.feature ON feature.feature_id = differing.feature_id
LEFT JOIN _store.lexeme ON lexeme.id = differing.lexeme_id
LEFT JOIN _store.path ON path.id = feature.path_id
LEFT JOIN _store.lexeme AS context ON context.id = feature.context_id;

-- name: sizes
-- A row: a lexeme whose vector has another size than the one that is kept for it under its weighting.
-- @id@: the weighting's id.
-- @phi@: its phi.
-- @subcorpus@: the subcorpus that it is of, or NULL.
-- @counts@: direct, or NULL for packed.
WITH of_weighting AS (
    SELECT *, NULL::VARCHAR AS path_text FROM _store.kept_weights(@id@, _store.needs_no_paths(@phi@, 'all'))
),
defined AS (
    SELECT lexeme_id, fsum(value) AS total, fsum(value * value) AS square, min(value) AS least
    FROM _store.dimensions('of_weighting', @phi@, @subcorpus@, @counts@)
    WHERE value <> 0
    GROUP BY lexeme_id
),
kept AS (
    SELECT lexeme_id, total, square, least
    FROM _store.kept_size
    WHERE weighting_id = @id@
)
SELECT 'size' AS what, lexeme.text AS row, concat_ws(' ', kept.total, kept.square, kept.least) AS found,
    concat_ws(' ', defined.total, defined.square, defined.least) AS expected
FROM kept
FULL JOIN defined ON defined.lexeme_id = kept.lexeme_id
LEFT JOIN _store.lexeme ON lexeme.id = coalesce(kept.lexeme_id, defined.lexeme_id)
WHERE kept.total IS NULL OR defined.total IS NULL
    OR abs(kept.total - defined.total) > 1e-9 * greatest(1, abs(defined.total))
    OR abs(kept.square - defined.square) > 1e-9 * greatest(1, abs(defined.square))
    OR abs(kept.least - defined.least) > 1e-9 * greatest(1, abs(defined.least));

-- name: entries
-- A row: an entry that is in no state there is, has another number of weights than it records, or one that cannot be.
WITH stored AS (
    SELECT entry_id, count(*) AS weights,
        count(*) FILTER (WHERE NOT isfinite(weight) OR NOT path_is_valid(path)) AS impossible
    FROM _store.entry_weight
    GROUP BY entry_id
)
SELECT 'entry' AS what, entry.name AS row,
    concat_ws(' ', entry.state || ',', coalesce(stored.weights, 0), 'weights,', stored.impossible, 'impossible')
    AS found, 'kept or stale, ' || entry.weights || ' weights, 0 impossible' AS expected
FROM _store.stored_entry AS entry
LEFT JOIN stored ON stored.entry_id = entry.id
WHERE entry.state NOT IN ('kept', 'stale') OR entry.weights IS DISTINCT FROM stored.weights OR stored.impossible > 0;

-- name: known_weights
-- One row: whether weights of this name are a scheme, or a weighting that is recorded; and whether they are a scheme.
SELECT _store.scheme($weights) IS NOT NULL AS known, _store.is_scheme($weights) AS is_scheme;

-- name: entry
-- A row: a feature of the entry $id whose weight is another than that to which its phrase composes today.
-- @compose@: the call that composes the phrase.
WITH stored AS (
    SELECT path, context, weight
    FROM _store.entry_weight
    WHERE entry_id = $id
),
composed AS (
    SELECT path, context, weight
    FROM @compose@
)
SELECT 'weight of the entry' AS what, concat_ws(
        ' ', $name::VARCHAR || ':', coalesce(nullif(coalesce(stored.path, composed.path), ''), 'ε'),
        coalesce(stored.context, composed.context)
    ) AS row, coalesce(stored.weight::VARCHAR, 'none') AS found, coalesce(composed.weight::VARCHAR, 'none') AS expected
FROM stored
FULL JOIN composed ON composed.path = stored.path AND composed.context = stored.context
WHERE abs(coalesce(stored.weight, 0) - coalesce(composed.weight, 0)) > 1e-9 * greatest(1, abs(composed.weight));

-- name: evaluations
-- A row: an evaluation whose numbers cannot be, or that says of no content what it was made with.
SELECT 'evaluation' AS what, concat_ws(' ', 'number', id, 'on', dataset, part) AS row,
    concat_ws(
        ', ', 'rho ' || coalesce(rho::VARCHAR, undefined, 'NULL'), low || ' to ' || high,
        items || ' items, ' || missing || ' missing, ' || empty || ' empty', tokens || ' tokens', 'content ' || content
    ) AS found,
    'rho from -1 to 1, or why there is none; numbers from 0; a digest of the content' AS expected
FROM _store.evaluation
WHERE (rho IS NULL) = (undefined IS NULL) OR abs(rho) > 1 + 1e-9 OR abs(low) > 1 + 1e-9 OR abs(high) > 1 + 1e-9
    OR low > high OR (low IS NULL) <> (high IS NULL) OR least(items, missing, empty, tokens) < 0
    OR NOT regexp_full_match(content, '[0-9a-f]{32}');

-- name: evaluation_rows
-- A row: an evaluation, with what it was made with, in JSON and in columns.
SELECT concat_ws(' ', 'number', id, 'on', dataset, part) AS row, question, sha256, method, weights
FROM _store.evaluation
ORDER BY id;

-- name: spaces
-- A row: a space that is in no state there is, that has another number of features or vectors than it records, or one
-- that cannot be: of other dimensions, with a number that is none, or not of length 1.
WITH of_feature AS (
    SELECT stored.space_id, count(*) AS features,
        count(*) FILTER (
            WHERE len(stored.projection) <> CASE
                    WHEN stored.path_id = 0 THEN space.dimensions - space.tree_dimensions ELSE space.tree_dimensions
                END
                OR NOT isfinite(stored.scale) OR stored.scale <= 0
        ) AS impossible
    FROM _store.space_feature AS stored
    JOIN _store.reduced_space AS space ON space.id = stored.space_id
    GROUP BY stored.space_id
),
of_vector AS (
    SELECT stored.space_id, count(*) AS vectors,
        count(*) FILTER (
            WHERE len(stored.vector) <> space.dimensions
                OR NOT coalesce(abs(list_inner_product(stored.vector, stored.vector) - 1) < 1e-4, false)
        ) AS impossible
    FROM _store.space_vector AS stored
    JOIN _store.reduced_space AS space ON space.id = stored.space_id
    GROUP BY stored.space_id
),
known AS (
    SELECT space.name, space.state, space.features AS recorded_features, space.vectors AS recorded_vectors,
        coalesce(of_feature.features, 0) AS features, coalesce(of_vector.vectors, 0) AS vectors,
        coalesce(of_feature.impossible, 0) + coalesce(of_vector.impossible, 0) AS impossible
    FROM _store.reduced_space AS space
    LEFT JOIN of_feature ON of_feature.space_id = space.id
    LEFT JOIN of_vector ON of_vector.space_id = space.id
)
SELECT 'space' AS what, name AS row,
    concat_ws(' ', state || ',', features, 'features,', vectors, 'vectors,', impossible, 'impossible') AS found,
    'kept or stale, ' || recorded_features || ' features, ' || recorded_vectors || ' vectors, 0 impossible' AS expected
FROM known
WHERE state NOT IN ('kept', 'stale') OR impossible > 0
    OR (state = 'kept' AND (features <> recorded_features OR vectors <> recorded_vectors))
    OR features > recorded_features OR vectors > recorded_vectors;

-- name: space_vectors
-- A row: a lexeme whose vector is another than its weights come to, among some of those of a space.
-- @name@: the name of the space.
-- @most@: how many lexemes are projected again.
WITH stored AS (
    SELECT lexeme_id, vector, row_number() OVER (ORDER BY lexeme_id ASC) AS number, count(*) OVER () AS vectors
    FROM _store.vectors_of(@name@)
),
chosen AS MATERIALIZED (
    SELECT number AS moved, lexeme_id, vector
    FROM stored
    WHERE number % greatest(1, vectors // @most@) = 0
),
weight AS NOT MATERIALIZED (
    SELECT chosen.moved, own.path_id, own.context_id, own.weight
    FROM _store.weights_in_space('chosen', @name@, NULL, NULL) AS own
    JOIN chosen ON chosen.lexeme_id = own.lexeme_id
),
again AS (
    SELECT moved, vector::FLOAT[] AS vector FROM _store.projected('chosen', 'weight', @name@, NULL, true)
)
SELECT 'vector in ' || @name@ AS what, lexeme.text AS row,
    coalesce(list_inner_product(chosen.vector, again.vector)::VARCHAR, 'NULL') AS found,
    '1, the cosine with its own' AS expected
FROM chosen
JOIN _store.lexeme ON lexeme.id = chosen.lexeme_id
LEFT JOIN again ON again.moved = chosen.moved
WHERE NOT coalesce(list_inner_product(chosen.vector, again.vector) > 1 - 1e-4, false);

-- name: senses
-- A row: a sense whose state, or whose number of occurrences, is impossible, or that has occurrences of other lexemes.
WITH placed AS (
    SELECT stored.sense_id, count(*) AS occurrences,
        count(*) FILTER (WHERE word.lexeme_id IS DISTINCT FROM sense.lexeme_id) AS of_others
    FROM _store.sense_occurrence AS stored
    JOIN _store.sense ON sense.id = stored.sense_id
    LEFT JOIN _store.stored_node AS node
        ON node.sentence_id = stored.sentence_id AND node.position = stored.position
    LEFT JOIN _store.word ON word.id = node.word_id
    GROUP BY stored.sense_id
)
SELECT 'sense' AS what, concat_ws('#', coalesce(lexeme.text, 'NULL'), sense.number) AS row,
    concat_ws(
        ' ', own.state || ',', coalesce(placed.occurrences, 0), 'occurrences,', coalesce(placed.of_others, 0),
        'of other lexemes'
    ) AS found,
    'kept or stale, ' || sense.occurrences || ' occurrences, 0 of other lexemes' AS expected
FROM _store.sense
LEFT JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
LEFT JOIN placed ON placed.sense_id = sense.id
LEFT JOIN _store.lexeme ON lexeme.id = sense.lexeme_id
WHERE own.state NOT IN ('kept', 'stale') OR own.name IS DISTINCT FROM lexeme.text OR placed.of_others > 0
    OR (own.state = 'kept' AND coalesce(placed.occurrences, 0) <> sense.occurrences);
