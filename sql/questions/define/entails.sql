-- What of one vector another lacks: what speaks against the first entailing the second.

-- A row: one of the features of the first of the two questions named that the second lacks, with its weight and its
-- share of all weights of the first, the heaviest first; and last, where there are more than top, a row without path
-- and context for the sum of all others.
CREATE OR REPLACE MACRO _store.lacking(
    questions, sort, top, weights, @composition_inside@, @own_options@, other_subcorpus, phi
) AS TABLE (
    WITH _vector AS MATERIALIZED (
        FROM _store.pair_vectors(questions, sort, weights, @composition_inside@, @own_options@, other_subcorpus, phi)
    ),
    _size AS MATERIALIZED (FROM _store.sizes('_vector')),
    _lacked AS MATERIALIZED (
        SELECT one.feature_id, one.value AS weight, one.value / _size.total AS share
        FROM _vector AS one
        JOIN _size ON _size.question = 1
        ANTI JOIN (FROM _vector WHERE question = 2) AS other ON other.feature_id = one.feature_id
        WHERE one.question = 1
    ),
    _placed AS MATERIALIZED (
        SELECT feature.path, feature.context, lacked.weight, lacked.share, row_number() OVER (
                ORDER BY round(lacked.weight, 12) DESC, feature.frequency DESC NULLS LAST, feature.context ASC,
                    feature.path ASC
            ) AS place
        FROM _lacked AS lacked
        JOIN _store.feature_text('_lacked', weights, @held_subcorpus@) AS feature
            ON feature.feature_id = lacked.feature_id
    ),
    _shown AS (
        SELECT place, path, context, weight, share FROM _placed WHERE place <= coalesce(top, 1)
        UNION ALL
        SELECT rest.place, NULL, NULL, rest.weight, rest.share
        FROM (
            SELECT min(place) AS place, fsum(weight) AS weight, fsum(share) AS share
            FROM (FROM _placed WHERE place > coalesce(top, 1))
        ) AS rest
        WHERE rest.place IS NOT NULL
    )
    SELECT place, path, context, _store.round_similarity(weight) AS weight, _store.round_similarity(share) AS share
    FROM _shown
    WHERE _store.check_asked(questions, weights, @composition_inside@, @own_options@)
        AND (SELECT _store.check_phi_of(questions, phi))
        AND (SELECT _store.check_top(top))
        AND (SELECT _store.check_sign('entails', lowest.least) FROM (SELECT min(least) AS least FROM _size) AS lowest)
);

-- A row: a feature of a lexeme or phrase that another lacks, its weight, and its share of all weights of the first, the
-- heaviest first. If more than top are lacking, the last row, without path and context, is the sum of the others. The
-- shares add up to 1 − weeds_precision: the lower this is, the more the first entails the second, as dog entails
-- animal.
-- Columns: path VARCHAR, context VARCHAR, weight DOUBLE, share DOUBLE
-- Example: FROM entails('shoot/NOUN', 'leaf/NOUN', top := 5)
CREATE OR REPLACE MACRO entails(a, b, @parameters_of_entails@) AS TABLE (
    WITH _pair AS MATERIALIZED (
        FROM _store.pair(_store.about(a, anchor), _store.about(b, coalesce(anchor_b, anchor)))
    )
    SELECT lacking.path, lacking.context, lacking.weight, lacking.share
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('entails', row(a, b, @given_to_entails@)) AS _constants
    CROSS JOIN _store.lacking(
        '_pair', _store.sort_of_pair(a, b), top, weights, @composing@, @options@, @subcorpus_b@,
        _store.phi(phi, weights)
    ) AS lacking
    WHERE _store.admitted('@stamp@', @pair_admitted@)
    ORDER BY lacking.place ASC
);
