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
        WHEN pipeline = 'compose-first' AND _store.scheme(weights) IS DISTINCT FROM 'ppmi' THEN error(
            'compose-first composes probabilities and makes ppmi of them; weights is ' || weights
            || ', leave it out or choose compose-second'
        )
        WHEN pipeline = 'compose-first' AND _store.scope(weights, options) = 'all' THEN error(
            'scope is ''all''; compose-first takes the scope path only'
        )
        ELSE true
    END;

-- True where questions can be asked with these parameters; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_asked(questions, weights, merge, pipeline, aligned, anchor, options) AS
    _store.check_options(weights, options)
    AND _store.check_composition(weights, merge, pipeline, aligned, options)
    AND _store.check_questions(questions, anchor);

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

-- A row: one feature of the words of one of the questions named, merged into one APT (the paper's equations 9 to 13) and
-- seen from the anchor. The weights are the scheme's, composed as they are.
CREATE OR REPLACE MACRO _store.merged_apt(questions, weights, scheme, merge, aligned, anchor, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, position, lexeme_id, CASE WHEN aligned THEN delta ELSE '' END AS delta
        FROM _store.question_word(questions)
    ),
    _asked AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _word
    ),
    -- A row: one feature of one word, its own APT not yet moved.
    _weight AS MATERIALIZED (
        SELECT * FROM _store.weights_of('_asked', weights, scheme, options)
    ),
    -- A row: a word with the way from the root's word back to the anchor; '' where that is the root's.
    _anchored AS MATERIALIZED (
        SELECT _word.question, _word.lexeme_id, _word.delta, coalesce(path_inverse(_anchor.delta), '') AS back
        FROM _word
        LEFT JOIN (SELECT question, delta FROM _word WHERE position = anchor) AS _anchor
            ON _anchor.question = _word.question
    ),
    -- A row: a node of a word that is to move by these two offsets. Offsets move nodes, not features, and many words alike:
    -- each distinct path is rewritten once for each distinct move.
    _node AS (
        SELECT DISTINCT _anchored.delta, _anchored.back, _weight.path_id, _weight.path_text,
            coalesce(path.text, _weight.path_text) AS path
        FROM (SELECT DISTINCT lexeme_id, delta, back FROM _anchored) AS _anchored
        JOIN (SELECT DISTINCT lexeme_id, path_id, path_text FROM _weight) AS _weight USING (lexeme_id)
        LEFT JOIN _store.path ON path.id = _weight.path_id
    ),
    -- The same, seen from the root's word.
    _from_root AS (
        SELECT delta, back, path_id, path_text, CASE WHEN delta = '' THEN path ELSE path_offset(path, delta) END AS path
        FROM _node
    ),
    -- The same, seen from the anchor: one offset after the other, so that what the first drops stays dropped.
    _moved AS MATERIALIZED (
        SELECT delta, back, path_id, path_text, CASE WHEN back = '' THEN path ELSE path_offset(path, back) END AS path
        FROM _from_root
    ),
    -- A row: a path of the composed APTs, numbered so that features are merged by number.
    _path AS MATERIALIZED (
        SELECT path, row_number() OVER () AS number FROM (SELECT DISTINCT path FROM _moved WHERE path IS NOT NULL)
    ),
    -- A row: a feature, and what its weights come to over the words that have it.
    _gathered AS (
        SELECT _anchored.question, _path.number, _weight.context_id, _weight.context_text, count(*) AS have,
            sum(_weight.weight) AS total, min(_weight.weight) AS least_weight, max(_weight.weight) AS greatest_weight,
            product(_weight.weight) AS multiplied
        FROM _anchored
        JOIN _weight ON _weight.lexeme_id = _anchored.lexeme_id
        JOIN _moved
            ON _moved.delta = _anchored.delta AND _moved.back = _anchored.back
            AND _moved.path_id IS NOT DISTINCT FROM _weight.path_id
            AND _moved.path_text IS NOT DISTINCT FROM _weight.path_text
        JOIN _path ON _path.path = _moved.path
        GROUP BY _anchored.question, _path.number, _weight.context_id, _weight.context_text
    ),
    _merged AS (
        SELECT _gathered.question, _gathered.number, _gathered.context_id, _gathered.context_text, _store.merged(
            merge, _gathered.have, len(asked.words), _gathered.total, _gathered.least_weight,
            _gathered.greatest_weight, _gathered.multiplied
        ) AS weight
        FROM _gathered
        JOIN query_table(questions) AS asked ON asked.question = _gathered.question
    )
    SELECT _merged.question, _path.path, _merged.context_id, _merged.context_text, _merged.weight
    FROM _merged
    JOIN _path ON _path.number = _merged.number
    WHERE _merged.weight <> 0
);

-- The scheme whose weights are composed: the one asked for, or for compose-first probabilities, of which the filters alone
-- hold.
CREATE OR REPLACE MACRO _store.composed_scheme(pipeline, weights) AS
    CASE WHEN pipeline = 'compose-first' THEN 'probability' ELSE _store.scheme(weights) END;

-- A row: one feature of the APT of a question that is a phrase, by either pipeline. compose-second ends with the merging.
-- compose-first drops the features that no lexeme has and makes ppmi of what is left, A, beside the lexicon:
-- ln( (A(τ,w') / A(τ,*)) / (n_τw'^α / n_τ^α) ) − ln k. The questions, the options and the manner are checked before.
CREATE OR REPLACE MACRO _store.composed(questions, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    WITH _merged_apt AS MATERIALIZED (
        FROM _store.merged_apt(
            questions, weights, _store.composed_scheme(pipeline, weights), merge, aligned, anchor, options
        )
        WHERE (SELECT _store.check_asked(questions, weights, merge, pipeline, aligned, anchor, options))
    ),
    -- A row: a feature that some lexeme has, and its composed probability.
    _feature AS MATERIALIZED (
        SELECT _merged_apt.question, path.id AS path_id, path.text AS path, _merged_apt.context_id,
            _merged_apt.weight AS probability, feature.count AS n_feature
        FROM _merged_apt
        JOIN _store.path ON path.text = _merged_apt.path
        JOIN _store.node AS feature ON feature.lexeme_id = _merged_apt.context_id AND feature.path_id = path.inverse_id
        WHERE pipeline = 'compose-first'
    ),
    _reweighed AS (
        SELECT _feature.question, _feature.path, _feature.context_id,
            _store.pmi(
                _feature.probability, node.probability, _feature.n_feature, smoothed.total, weights, options
            ) AS weight
        FROM _feature
        JOIN (SELECT question, path_id, sum(probability) AS probability FROM _feature GROUP BY question, path_id) AS node
            USING (question, path_id)
        JOIN _store.smoothed_path(weights, options) AS smoothed ON smoothed.id = _feature.path_id
    )
    SELECT question, path, context_id, context_text, weight
    FROM _merged_apt
    WHERE pipeline <> 'compose-first'
    UNION ALL
    SELECT question, path, context_id, NULL, weight
    FROM _reweighed
    WHERE weight > 0
);
