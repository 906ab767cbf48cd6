-- True where phi is a path weighting that the phrase can have; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_phi(phi, phrase, anchor) AS
    CASE
        WHEN phi NOT IN ('constant', 'harmonic', 'probability') THEN error(
            'phi is ''' || phi || '''; it is constant, harmonic or probability'
        )
        WHEN phi = 'probability' AND _store.anchored_word(phrase, anchor) IS NULL THEN error(
            'no word of the phrase is its root (delta ''''), whose paths phi := probability needs; name an anchor'
        )
        ELSE true
    END;

-- True where phi is a path weighting that all the questions named can have; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_phi_of(questions, phi, anchor) AS (
    SELECT coalesce(bool_and(checked.right), true)
    FROM (
        SELECT _store.check_phi(phi, asked.words, CASE WHEN asked.name IS NULL THEN anchor ELSE 0 END) AS right
        FROM query_table(questions) AS asked
    ) AS checked
);

-- A row: a path and the factor that phi 'harmonic' gives it, 1/order, or 1 for ε. No row where phi is another.
CREATE OR REPLACE MACRO _store.harmonic(phi) AS TABLE (
    SELECT path.id AS path_id, 1 / greatest(path.path_order, 1) AS factor
    FROM _store.path
    WHERE phi = 'harmonic'
);

-- A row: a node of a lexeme and the factor that phi 'probability' gives it: the share it has of all that the lexeme meets
-- (the paper's equation 5). No row where phi is another.
CREATE OR REPLACE MACRO _store.path_probability(phi) AS TABLE (
    SELECT node.lexeme_id, node.path_id, node.count / lexeme.cooccurrences AS factor
    FROM _store.node
    JOIN _store.lexeme ON lexeme.id = node.lexeme_id
    WHERE phi = 'probability'
);

-- The factor that a weight takes from phi; a node that the lexeme never has counts for nothing.
CREATE OR REPLACE MACRO _store.path_weight(phi, harmonic_factor, probability_factor) AS
    CASE phi
        WHEN 'constant' THEN 1
        WHEN 'harmonic' THEN harmonic_factor
        ELSE coalesce(probability_factor, 0)
    END;

-- A row: a weight of the relation named (lexeme_id, path_id, feature_id, weight) as a dimension of its lexeme's vector, the
-- paper's equation 4. Features that no lexeme of the lexicon has are no dimensions.
CREATE OR REPLACE MACRO _store.dimensions(weighed, phi) AS TABLE (
    SELECT weight.lexeme_id, weight.feature_id,
        weight.weight * _store.path_weight(phi, harmonic.factor, probability.factor) AS value
    FROM query_table(weighed) AS weight
    LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = weight.path_id
    LEFT JOIN _store.path_probability(phi) AS probability
        ON probability.lexeme_id = weight.lexeme_id AND probability.path_id = weight.path_id
    WHERE weight.feature_id IS NOT NULL
);

-- A row: one dimension, not 0, of the vector of one lexeme of the relation named (column lexeme_id).
CREATE OR REPLACE MACRO _store.lexeme_vectors(lexemes, weights, options, phi) AS TABLE (
    WITH _weight AS NOT MATERIALIZED (
        FROM _store.weights_of(lexemes, weights, _store.scheme(weights), options)
    )
    SELECT lexeme_id, feature_id, value
    FROM _store.dimensions('_weight', phi)
    WHERE value <> 0
);

-- A row: one dimension of the vector of one of the questions named that are lexemes.
CREATE OR REPLACE MACRO _store.lexeme_question_vectors(
    questions, weights, merge, pipeline, aligned, anchor, options, phi
) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id FROM _store.question_word(questions)
    )
    SELECT _word.question, vector.feature_id, vector.value
    FROM _store.lexeme_vectors('_word', weights, options, phi) AS vector
    JOIN _word USING (lexeme_id)
    WHERE (SELECT _store.check_asked(questions, weights, merge, pipeline, aligned, anchor, options))
        AND (SELECT _store.check_phi_of(questions, phi, anchor))
);

-- A row: one dimension of the vector of one of the questions named that are phrases, seen from its anchor.
CREATE OR REPLACE MACRO _store.phrase_question_vectors(
    questions, weights, merge, pipeline, aligned, anchor, options, phi
) AS TABLE (
    -- A row: a question and the lexeme that it is anchored at.
    WITH _anchored_at AS (
        SELECT asked.question, lexeme.id AS lexeme_id
        FROM query_table(questions) AS asked
        JOIN _store.lexeme ON lexeme.text = _store.anchored_word(asked.words, anchor).lexeme
    ),
    _valued AS (
        SELECT composed.question, feature.id AS feature_id,
            composed.weight * _store.path_weight(phi, harmonic.factor, probability.factor) AS value
        FROM _store.composed(questions, weights, merge, pipeline, aligned, anchor, options) AS composed
        JOIN _store.path ON path.text = composed.path
        JOIN _store.node AS feature ON feature.lexeme_id = composed.context_id AND feature.path_id = path.inverse_id
        LEFT JOIN _anchored_at ON _anchored_at.question = composed.question
        LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = path.id
        LEFT JOIN _store.path_probability(phi) AS probability
            ON probability.lexeme_id = _anchored_at.lexeme_id AND probability.path_id = path.id
    )
    SELECT question, feature_id, value
    FROM _valued
    WHERE value <> 0 AND (SELECT _store.check_phi_of(questions, phi, anchor))
);

-- A row: one dimension of the vector of one of the questions named, lexemes and phrases alike.
CREATE OR REPLACE MACRO _store.question_vectors(
    questions, weights, merge, pipeline, aligned, anchor, options, phi
) AS TABLE (
    WITH _of_lexeme AS MATERIALIZED (
        FROM query_table(questions) WHERE name IS NOT NULL
    ),
    _of_phrase AS MATERIALIZED (
        FROM query_table(questions) WHERE name IS NULL
    )
    SELECT question, feature_id, value
    FROM _store.lexeme_question_vectors('_of_lexeme', weights, merge, pipeline, aligned, 0, options, phi)
    WHERE (SELECT _store.check_asked(questions, weights, merge, pipeline, aligned, anchor, options))
    UNION ALL
    SELECT question, feature_id, value
    FROM _store.phrase_question_vectors('_of_phrase', weights, merge, pipeline, aligned, anchor, options, phi)
);
