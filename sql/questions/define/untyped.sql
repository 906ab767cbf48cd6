-- True where weights without paths can be made so; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_untyped(weights) AS
    CASE
        WHEN weights IS NULL OR _store.is_scheme(weights) THEN true
        ELSE error(
            'weights is ''' || weights || '''; without paths, expected ' || array_to_string(_store.schemes(), ', ')
        )
    END;

-- One row: the total that pmi compares the smoothed count of a context with: N^α, or the sum of n_w'^α over all
-- contexts; and N itself.
CREATE OR REPLACE MACRO _store.untyped_total(weights, @own_options@) AS TABLE (
    WITH _summed AS (
        SELECT sum(cooccurrences) AS n_all
        FROM _store.lexeme_in(@held_subcorpus@, @held_counts@)
    ),
    _sum_of_powers AS (
        SELECT fsum(power.value) AS total
        FROM (
            SELECT _store.discounted_count(cooccurrences, @held_cds@) AS value
            FROM _store.lexeme_in(@held_subcorpus@, @held_counts@)
        ) AS power
    )
    SELECT n_all, CASE
        WHEN _store.sums_powers(weights, @own_options@) THEN _sum_of_powers.total
        ELSE _store.discounted_count(n_all, @held_cds@)
    END AS smoothed
    FROM _summed, _sum_of_powers
);

-- A row: the weight of a context of a lexeme in the untyped space, where all paths are one: counts are #⟨w, *, w'⟩, and
-- a scheme makes of them what it makes of the counts along one path.
CREATE OR REPLACE MACRO _store.untyped_weights(weights, @own_options@) AS TABLE (
    WITH _lexeme AS NOT MATERIALIZED (FROM _store.lexeme_in(@held_subcorpus@, @held_counts@)),
    -- A row: how often a lexeme meets a context, along whatever path of the lexicon's order.
    _meeting AS NOT MATERIALIZED (
        SELECT lexeme_id, context_id, sum(count)::BIGINT AS n
        FROM _store.cooccurrence_in(@held_subcorpus@, @held_counts@)
        GROUP BY lexeme_id, context_id
    ),
    _tally AS NOT MATERIALIZED (
        SELECT meeting.lexeme_id, meeting.context_id, meeting.n, own.cooccurrences AS n_lexeme,
            own.cooccurrences AS n_node, context.cooccurrences AS n_feature, overall.n_all AS n_path,
            own.cooccurrences AS n_compared, overall.smoothed AS total
        FROM _meeting AS meeting
        JOIN _lexeme AS own ON own.id = meeting.lexeme_id
        JOIN _lexeme AS context ON context.id = meeting.context_id
        CROSS JOIN _store.untyped_total(weights, @own_options@) AS overall
        WHERE (@held_min_count@ IS NULL OR meeting.n >= @held_min_count@)
            AND (
                @held_min_feature_count@ IS NULL
                OR context.cooccurrences >= @held_min_feature_count@
            )
            AND (
                @held_min_frequency@ IS NULL
                OR own.frequency >= @held_min_frequency@
            )
    ),
    _weighed AS NOT MATERIALIZED (
        -- (What is no scheme is refused where this is called, but planned before.)
        SELECT lexeme_id, context_id, weight
        FROM _store.weighed(
            '_tally', CASE WHEN _store.is_scheme(weights) THEN lower(weights) ELSE 'raw_count' END, weights,
            @own_options@
        )
    ),
    -- A row: a weight that is among the heaviest of its lexeme.
    _heaviest AS NOT MATERIALIZED (
        SELECT _weighed.lexeme_id, _weighed.context_id, _weighed.weight
        FROM _weighed
        JOIN _store.lexeme_place(@held_subcorpus@) AS lexeme_place
            ON lexeme_place.lexeme_id = _weighed.context_id
        QUALIFY row_number() OVER (
            PARTITION BY _weighed.lexeme_id ORDER BY round(_weighed.weight, 12) DESC, lexeme_place.place ASC
        ) <= @held_top_features@
    )
    FROM query_table(CASE WHEN @held_top_features@ IS NULL THEN '_weighed' ELSE '_heaviest' END)
);

-- A row: the weight of a lexeme and a context without paths, over all paths together. The path is ε, so such weights
-- can be used like a user's own weights. With them, phrases need no alignment (aligned := false).
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM untyped() WHERE lexeme = 'shoot/NOUN' ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE MACRO untyped(@parameters_of_untyped@) AS TABLE (
    SELECT own.text AS lexeme, '' AS path, context.text AS context, weight.weight
    FROM (SELECT @in_use@, @untyped_given@) AS _in_use
    CROSS JOIN _store.constants('untyped', row(@given_to_untyped@)) AS _constants
    CROSS JOIN _store.untyped_weights(weights, @untyped_options@) AS weight
    JOIN _store.lexeme AS own ON own.id = weight.lexeme_id
    JOIN _store.lexeme AS context ON context.id = weight.context_id
    WHERE _store.admitted('@stamp@', _store.check_untyped(weights)
        AND _store.check_given(weights, @untyped_given@)
        AND _store.check_options(weights, @untyped_options@))
);
