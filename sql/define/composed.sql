-- Whether the manner of composition is one there is; otherwise an error that names it and those there are.
CREATE OR REPLACE MACRO _store.check_composition(weights, merge, pipeline, aligned, options) AS
    CASE
        WHEN coalesce(merge NOT IN ('sum', 'min', 'max', 'mult', 'intersective_add'), true) THEN error(
            'merge is ' || coalesce('''' || merge || '''', 'NULL') || '; it is sum, min, max, mult or intersective_add'
        )
        WHEN coalesce(pipeline NOT IN ('compose-second', 'compose-first'), true) THEN error(
            'pipeline is ' || coalesce('''' || pipeline || '''', 'NULL') || '; it is compose-second or compose-first'
        )
        WHEN aligned IS NULL THEN error('aligned is NULL; it is true or false')
        WHEN pipeline = 'compose-first' AND weights <> 'ppmi' THEN error(
            'compose-first composes probabilities and makes ppmi of them; weights is ' || weights
            || ', leave it out or choose compose-second'
        )
        WHEN pipeline = 'compose-first' AND options['scope'] = 'all' THEN error(
            'scope is ''all''; compose-first takes the scope path only'
        )
        ELSE true
    END;

-- True where a question can be asked with these parameters; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_question(phrase, weights, merge, pipeline, aligned, anchor, options) AS
    _store.check_options(weights, options)
    AND _store.check_composition(weights, merge, pipeline, aligned, options)
    AND _store.check_phrase(phrase, anchor);

-- The merged weight of one feature, from what its weights come to over the words that have it: how many they are (of how
-- many words), their sum, least, greatest and product. In the words that lack the feature its weight is 0.
CREATE OR REPLACE MACRO _store.merged(merge, have, words, total, least_weight, greatest_weight, multiplied) AS
    CASE merge
        WHEN 'min' THEN CASE WHEN have < words THEN least(least_weight, 0) ELSE least_weight END
        WHEN 'max' THEN CASE WHEN have < words THEN greatest(greatest_weight, 0) ELSE greatest_weight END
        WHEN 'mult' THEN CASE WHEN have < words THEN 0 ELSE multiplied END
        WHEN 'intersective_add' THEN CASE WHEN have < words OR least_weight <= 0 THEN 0 ELSE total END
        ELSE total
    END;

-- A row: one feature of a phrase's words merged into one APT (the paper's equations 9 to 13), seen from the anchor.
-- weights are the scheme's, composed as they are.
CREATE OR REPLACE MACRO _store.merged_apt(phrase, weights, merge, aligned, anchor, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT position, lexeme_id, CASE WHEN aligned THEN delta ELSE '' END AS delta
        FROM _store.phrase_word(phrase)
    ),
    _asked AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _word
    ),
    -- A row: one feature of one word, its own APT not yet moved.
    _weight AS MATERIALIZED (
        SELECT * FROM _store.weights_of('_asked', weights, options)
    ),
    -- A row: one node of one word. Offsets move nodes, not features: each distinct path is rewritten once.
    _node AS (
        SELECT DISTINCT _word.position, _word.delta, _weight.path_id, _weight.path_text,
            coalesce(path.text, _weight.path_text) AS path
        FROM _word
        JOIN (SELECT DISTINCT lexeme_id, path_id, path_text FROM _weight) AS _weight USING (lexeme_id)
        LEFT JOIN _store.path ON path.id = _weight.path_id
    ),
    -- The same, seen from the root's word.
    _from_root AS (
        SELECT position, path_id, path_text, CASE WHEN delta = '' THEN path ELSE path_offset(path, delta) END AS path
        FROM _node
    ),
    -- The same, seen from the anchor: one offset after the other, so that what the first drops stays dropped.
    _moved AS MATERIALIZED (
        SELECT _from_root.position, _from_root.path_id, _from_root.path_text,
            CASE
                WHEN anchor = 0 OR _anchor.inverse = '' THEN _from_root.path
                ELSE path_offset(_from_root.path, _anchor.inverse)
            END AS path
        FROM _from_root
        LEFT JOIN (SELECT path_inverse(delta) AS inverse FROM _word WHERE position = anchor) AS _anchor ON true
    ),
    -- A row: a path of the phrase's APT, numbered so that features are merged by number.
    _path AS MATERIALIZED (
        SELECT path, row_number() OVER () AS number FROM (SELECT DISTINCT path FROM _moved WHERE path IS NOT NULL)
    ),
    -- A row: a feature, and what its weights come to over the words that have it.
    _gathered AS (
        SELECT _path.number, _weight.context_id, _weight.context_text, count(*) AS have, sum(_weight.weight) AS total,
            min(_weight.weight) AS least_weight, max(_weight.weight) AS greatest_weight,
            product(_weight.weight) AS multiplied
        FROM _word
        JOIN _weight ON _weight.lexeme_id = _word.lexeme_id
        JOIN _moved
            ON _moved.position = _word.position AND _moved.path_id IS NOT DISTINCT FROM _weight.path_id
            AND _moved.path_text IS NOT DISTINCT FROM _weight.path_text
        JOIN _path ON _path.path = _moved.path
        GROUP BY _path.number, _weight.context_id, _weight.context_text
    ),
    _merged AS (
        SELECT number, context_id, context_text,
            _store.merged(merge, have, len(phrase), total, least_weight, greatest_weight, multiplied) AS weight
        FROM _gathered
    )
    SELECT _path.path, _merged.context_id, _merged.context_text, _merged.weight
    FROM _merged
    JOIN _path ON _path.number = _merged.number
    WHERE _merged.weight <> 0
);

-- The weights that are composed: the scheme's own, or for compose-first probabilities, of which only the filters hold.
CREATE OR REPLACE MACRO _store.composed_scheme(weights, pipeline) AS
    CASE WHEN pipeline = 'compose-first' THEN 'probability' ELSE weights END;
CREATE OR REPLACE MACRO _store.composed_options(options, pipeline) AS
    CASE WHEN pipeline = 'compose-first' THEN _store.filters(options) ELSE options END;

-- A row: one feature of the APT of a phrase, by either pipeline. compose-second ends with the merging. compose-first
-- drops the features that no lexeme has and makes ppmi of what is left, A, beside the lexicon:
-- ln( (A(τ,w') / A(τ,*)) / (n_τw'^α / n_τ^α) ) − ln k. The phrase, the options and the manner are checked before.
CREATE OR REPLACE MACRO _store.composed(phrase, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    WITH _merged_apt AS MATERIALIZED (
        FROM _store.merged_apt(
            phrase, _store.composed_scheme(weights, pipeline), merge, aligned, anchor,
            _store.composed_options(options, pipeline)
        )
        WHERE (SELECT _store.check_question(phrase, weights, merge, pipeline, aligned, anchor, options))
    ),
    -- A row: a feature that some lexeme has, and its composed probability.
    _feature AS MATERIALIZED (
        SELECT path.id AS path_id, path.text AS path, _merged_apt.context_id, _merged_apt.weight AS probability,
            feature.count AS n_feature
        FROM _merged_apt
        JOIN _store.path ON path.text = _merged_apt.path
        JOIN _store.node AS feature ON feature.lexeme_id = _merged_apt.context_id AND feature.path_id = path.inverse_id
        WHERE pipeline = 'compose-first'
    ),
    _reweighed AS (
        SELECT _feature.path, _feature.context_id,
            _store.pmi(_feature.probability, node.probability, _feature.n_feature, smoothed.total, options) AS weight
        FROM _feature
        JOIN (SELECT path_id, sum(probability) AS probability FROM _feature GROUP BY path_id) AS node USING (path_id)
        JOIN _store.smoothed_path(options) AS smoothed ON smoothed.id = _feature.path_id
    )
    SELECT path, context_id, context_text, weight
    FROM _merged_apt
    WHERE pipeline <> 'compose-first'
    UNION ALL
    SELECT path, context_id, NULL, weight
    FROM _reweighed
    WHERE weight > 0
);
