-- What one shared feature adds to the score. inv_cl and bal_apinc are no sums;
-- each feature has the share of them that it has of Σmin, or of APinc.
CREATE OR REPLACE MACRO _store.contribution(measure, part, shared, score, square_a, square_b) AS
    CASE WHEN measure = 'cosine' THEN part / (sqrt(square_a) * sqrt(square_b)) ELSE score * part / shared END;

-- True where top is a number of rows that can be shown; otherwise an error that names it.
CREATE OR REPLACE MACRO _store.check_top(top) AS
    CASE
        WHEN coalesce(top < 0, true) THEN error('top is ' || coalesce(top::VARCHAR, 'NULL') || '; expected 0 or more')
        ELSE true
    END;

-- A row: a feature that the vectors of questions 1 and 2 share, with both its values and what it adds to their
-- similarity. vectors names those of the questions, sizes theirs.
CREATE OR REPLACE MACRO _store.contribution_of(vectors, sizes, measure) AS TABLE (
    WITH _both AS (
        SELECT one.total AS total_a, one.square AS square_a, other.total AS total_b, other.square AS square_b
        FROM query_table(sizes) AS one, query_table(sizes) AS other
        WHERE one.question = 1 AND other.question = 2
    ),
    _summed AS NOT MATERIALIZED (
        SELECT one.feature_id, one.value AS weight_a, other.value AS weight_b,
            _store.shared(measure, one.value, other.value, _both.total_a, _both.total_b) AS part, NULL AS lin
        FROM query_table(vectors) AS one
        JOIN query_table(vectors) AS other ON other.feature_id = one.feature_id
        CROSS JOIN _both
        WHERE one.question = 1 AND other.question = 2
    ),
    _ranked AS MATERIALIZED (FROM _store.ranked_dimension(vectors)),
    _feature_of_both AS NOT MATERIALIZED (
        SELECT 1 AS a, 2 AS b, one.feature_id, one.value AS value_a, other.value AS value_b, one.rank AS rank_a,
            other.rank AS rank_b, one.features AS features_a, other.features AS features_b
        FROM _ranked AS one
        JOIN _ranked AS other ON other.feature_id = one.feature_id
        WHERE one.question = 1 AND other.question = 2
    ),
    -- A row: the same, its part what it adds to APinc; lin: what to the sum of both values.
    _by_rank AS NOT MATERIALIZED (
        SELECT feature_id, value_a AS weight_a, value_b AS weight_b, part,
            _store.shared(measure, value_a, value_b, NULL, NULL) AS lin
        FROM _store.included_feature('_feature_of_both')
    ),
    _part AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.needs_ranks(measure) THEN '_by_rank' ELSE '_summed' END)
    ),
    _score AS (
        SELECT summed.shared, _both.square_a, _both.square_b, CASE
                WHEN _store.needs_ranks(measure)
                THEN _store.measured_by_rank(measure, summed.lin, summed.shared, _both.total_a, _both.total_b)
                ELSE _store.measured(
                    measure, summed.shared, _both.total_a, _both.square_a, _both.total_b, _both.square_b
                )
            END AS score
        FROM (SELECT fsum(part) AS shared, fsum(lin) AS lin FROM _part) AS summed, _both
    )
    SELECT _part.feature_id, _part.weight_a, _part.weight_b, _store.contribution(
        measure, _part.part, _score.shared, _score.score, _score.square_a, _score.square_b
    ) AS contribution
    FROM _part, _score
);

-- A row: a feature of those named (feature_id), with its texts and how frequent its context is.
CREATE OR REPLACE MACRO _store.feature_text(features, weights, subcorpus) AS TABLE (
    WITH _counted AS NOT MATERIALIZED (
        SELECT feature.id AS feature_id, path.text AS path, context.text AS context, context.frequency
        FROM _store.node AS feature
        JOIN _store.lexeme_in(subcorpus) AS context ON context.id = feature.lexeme_id
        JOIN _store.path ON path.inverse_id = feature.path_id
    ),
    -- A row: a feature of a row of the user's own weights. They, and not what the lexicon counts, are the dimensions of
    -- its vectors. A feature comes as often as it has rows.
    _own_feature AS NOT MATERIALIZED (
        SELECT own.path, own.context, _store.own_feature_id(feature.id, own.path, own.context) AS feature_id,
            context.frequency
        FROM _store.own_row(weights) AS own
        LEFT JOIN _store.path ON path.text = own.path
        LEFT JOIN _store.lexeme AS context ON context.text = own.context
        LEFT JOIN _store.node AS feature ON feature.lexeme_id = context.id AND feature.path_id = path.inverse_id
    ),
    _own AS NOT MATERIALIZED (
        SELECT DISTINCT own.feature_id, own.path, own.context, own.frequency
        FROM _own_feature AS own
        SEMI JOIN query_table(features) AS wanted ON wanted.feature_id = own.feature_id
    )
    FROM query_table(CASE WHEN _store.scheme(weights) IS NULL THEN '_own' ELSE '_counted' END)
);

-- A row: one of the features that the two questions named share, with both its weights and what it adds to their
-- similarity, the most first; and last, where there are more than top, a row without path and context for the sum of
-- all others. vectors names theirs.
CREATE OR REPLACE MACRO _store.explained(
    questions, vectors, top, weights, @composition_inside@, @own_options@, phi, measure
) AS TABLE (
    WITH _size AS MATERIALIZED (FROM _store.sizes(vectors)),
    _added AS MATERIALIZED (FROM _store.contribution_of(vectors, '_size', measure)),
    _placed AS MATERIALIZED (
        SELECT feature.path, feature.context, added.weight_a, added.weight_b, added.contribution,
            row_number() OVER (
                ORDER BY round(added.contribution, 12) DESC, feature.frequency DESC NULLS LAST, feature.context ASC,
                    feature.path ASC
            ) AS place
        FROM _added AS added
        JOIN _store.feature_text('_added', weights, @held_subcorpus@) AS feature
            ON feature.feature_id = added.feature_id
    ),
    _shown AS (
        SELECT place, path, context, weight_a, weight_b, contribution
        FROM _placed
        WHERE place <= coalesce(top, 1)
        UNION ALL
        SELECT rest.place, NULL, NULL, rest.weight_a, rest.weight_b, rest.contribution
        FROM (
            SELECT min(place) AS place, sum(weight_a) AS weight_a, sum(weight_b) AS weight_b,
                sum(contribution) AS contribution
            FROM (FROM _placed WHERE place > coalesce(top, 1))
        ) AS rest
        WHERE rest.place IS NOT NULL
    )
    SELECT place, path, context, weight_a, weight_b, _store.round_similarity(contribution) AS contribution
    FROM _shown
    WHERE (SELECT _store.check_measure(measure))
        AND _store.check_asked(questions, weights, @composition_inside@, @own_options@)
        AND (SELECT _store.check_phi_of(questions, phi))
        AND (SELECT _store.check_top(top))
        AND (SELECT _store.check_sign(measure, lowest.least) FROM (SELECT min(least) AS least FROM _size) AS lowest)
);

-- A row: a dimension of a reduced space, with both its values and what it adds to the similarity, the most first; and
-- last, where there are more than top, a row without dimension for the sum of all others. features: those that both
-- questions share and that bring most to it in the direction that they share, with their paths.
CREATE OR REPLACE MACRO _store.explained_in_space(
    questions, sort, space, subcorpus, subcorpus_b, top, @composition_inside@
) AS TABLE (
    WITH _reduced AS MATERIALIZED (
        FROM _store.pair_vectors_in_space(questions, sort, space, subcorpus, subcorpus_b, @composition_inside@)
    ),
    _value AS (
        SELECT question, generate_subscripts(vector, 1) AS dimension, unnest(vector)::DOUBLE AS value FROM _reduced
    ),
    _placed AS MATERIALIZED (
        SELECT one.dimension, one.value AS weight_a, other.value AS weight_b, one.value * other.value AS contribution,
            row_number() OVER (ORDER BY one.value * other.value DESC, one.dimension ASC) AS place
        FROM (FROM _value WHERE question = 1) AS one
        JOIN (FROM _value WHERE question = 2) AS other ON other.dimension = one.dimension
    ),
    _first AS MATERIALIZED (
        SELECT dimension, sign(weight_a) AS direction_a, sign(weight_b) AS direction_b
        FROM _placed
        WHERE place <= coalesce(top, 1)
    ),
    _behind AS (
        FROM _store.features_behind(questions, '_first', space, subcorpus, subcorpus_b, @composition_inside@)
    ),
    _shown AS (
        SELECT place, dimension, weight_a, weight_b, contribution FROM _placed WHERE place <= coalesce(top, 1)
        UNION ALL
        SELECT min(place), NULL, NULL, NULL, sum(contribution)
        FROM _placed
        WHERE place > coalesce(top, 1)
        HAVING count(*) > 0
    )
    SELECT _shown.place, _shown.dimension, _behind.features, _shown.weight_a, _shown.weight_b,
        _store.round_similarity(_shown.contribution) AS contribution
    FROM _shown
    LEFT JOIN _behind ON _behind.dimension = _shown.dimension
    WHERE (SELECT _store.check_top(top))
);

-- A row: a feature that two lexemes or phrases share, its values in both vectors, and its contribution to the
-- similarity, the largest first. The last row, without path and context, is the sum of all other features, so the
-- contributions add up to the similarity. In a space a row is a dimension, with the features behind it that both share:
-- the columns dimension BIGINT and features VARCHAR replace path and context.
-- Columns: path VARCHAR, context VARCHAR, weight_a DOUBLE, weight_b DOUBLE, contribution DOUBLE
-- Example: FROM explain('shoot/NOUN', 'leaf/NOUN', top := 5)
CREATE OR REPLACE MACRO explain(a, b, @parameters_of_explain@) AS TABLE (
    WITH _pair AS MATERIALIZED (
        FROM _store.pair(_store.about(a, anchor), _store.about(b, coalesce(anchor_b, anchor)))
    ),
    _vector AS MATERIALIZED (
        FROM _store.pair_vectors(
            '_pair', _store.sort_of_pair(a, b), weights, @composing@, @options@, @subcorpus_b@, _store.phi(phi, weights)
        )
    ),
    _in_features AS NOT MATERIALIZED (
        FROM _store.explained(
            '_pair', '_vector', top, weights, @composing@, @options@, _store.phi(phi, weights),
            _store.measure(measure, weights)
        )
    ),
    _in_space AS NOT MATERIALIZED (
        FROM _store.explained_in_space(
            '_pair', _store.sort_of_pair(a, b), space, subcorpus, @subcorpus_b@, top, @composing@
        )
    )
    SELECT explained.* EXCLUDE (place)
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('explain', row(a, b, @given_to_explain@)) AS _constants
    CROSS JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS explained
    WHERE _store.admitted('@stamp@', @pair_admitted@ AND _store.check_space(space, @space_given_of_explain@))
    ORDER BY explained.place ASC
);
