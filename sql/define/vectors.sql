-- True where phi is a path weighting that the phrase can have; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_phi(phi, phrase, anchor) AS
    CASE
        WHEN coalesce(phi NOT IN ('constant', 'harmonic', 'probability'), true) THEN error(
            'phi is ' || coalesce('''' || phi || '''', 'NULL') || '; it is constant, harmonic or probability'
        )
        WHEN phi = 'probability' AND _store.anchored_word(phrase, anchor) IS NULL THEN error(
            'no word of the phrase is its root (delta ''''), whose paths phi := probability needs; name an anchor'
        )
        ELSE true
    END;

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

-- A row: one dimension of the vector of one lexeme of the relation named (column lexeme_id), the paper's equation 4.
CREATE OR REPLACE MACRO _store.lexeme_vectors(lexemes, weights, options, phi) AS TABLE (
    SELECT weight.lexeme_id, weight.path_id, weight.context_id,
        weight.weight * _store.path_weight(phi, harmonic.factor, probability.factor) AS value
    FROM _store.weights_of(lexemes, weights, options) AS weight
    LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = weight.path_id
    LEFT JOIN _store.path_probability(phi) AS probability
        ON probability.lexeme_id = weight.lexeme_id AND probability.path_id = weight.path_id
    WHERE weight.in_feats
);

-- A row: one dimension of the vector of a lexeme.
CREATE OR REPLACE MACRO _store.lexeme_vector(name, weights, merge, pipeline, aligned, anchor, options, phi) AS TABLE (
    WITH _asked AS MATERIALIZED (
        SELECT lexeme_id FROM _store.phrase_word(_store.one_word(name))
    )
    SELECT path_id, context_id, value
    FROM _store.lexeme_vectors('_asked', weights, options, phi)
    WHERE (SELECT _store.check_phi(phi, _store.one_word(name), anchor)) AND (SELECT _store.check_question(
        _store.one_word(name), weights, merge, pipeline, aligned, anchor, options
    ))
);

-- A row: one dimension of the vector of a phrase, seen from its anchor. Features that no lexeme of the lexicon has,
-- which offsets make, are no dimensions.
CREATE OR REPLACE MACRO _store.phrase_vector(phrase, weights, merge, pipeline, aligned, anchor, options, phi) AS TABLE (
    SELECT path.id AS path_id, composed.context_id,
        composed.weight * _store.path_weight(phi, harmonic.factor, probability.factor) AS value
    FROM _store.composed(phrase, weights, merge, pipeline, aligned, anchor, options) AS composed
    JOIN _store.path ON path.text = composed.path
    JOIN _store.node AS feature ON feature.lexeme_id = composed.context_id AND feature.path_id = path.inverse_id
    LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = path.id
    LEFT JOIN (
        FROM _store.path_probability(phi) WHERE lexeme_id = (
            SELECT id FROM _store.lexeme WHERE text = _store.anchored_word(phrase, anchor).lexeme
        )
    ) AS probability ON probability.path_id = path.id
    WHERE (SELECT _store.check_phi(phi, phrase, anchor))
);
