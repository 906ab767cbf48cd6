-- The value that context distribution smoothing makes of a count: its power α.
CREATE OR REPLACE MACRO _store.discounted_count(count, cds) AS
    CASE WHEN coalesce(cds, 1) = 1 THEN count::DOUBLE ELSE pow(count::DOUBLE, cds) END;

-- Whether smoothed counts are compared with a sum of powers. At α = 1 the power of the sum is the same, and costs less.
CREATE OR REPLACE MACRO _store.sums_powers(weights, @own_options@) AS
    coalesce(@held_cds@ < 1, false)
    AND coalesce(@held_cds_total@, 'sum_of_powers') = 'sum_of_powers';

-- A row: a path and the total that pmi compares the smoothed counts of the path's features with: the sum of n_τw'^α
-- over the path's features (Levy, Goldberg & Dagan 2015), or with cds_total 'power_of_sum' n_τ^α; with scope 'all' that
-- sum over all features, or N^α. Only the one that is asked for is planned.
CREATE OR REPLACE MACRO _store.path_total(weights, @own_options@) AS TABLE (
    WITH _power_of_sum AS NOT MATERIALIZED (
        SELECT path.*, _store.discounted_count(path.count, @held_cds@) AS total
        FROM _store.path_in(@held_subcorpus@, @held_counts@) AS path
    ),
    -- A row: a feature's path and its smoothed count.
    _feature AS NOT MATERIALIZED (
        SELECT inverse.inverse_id AS path_id, _store.discounted_count(node.count, @held_cds@) AS count
        FROM _store.node_in(@held_subcorpus@, @held_counts@) AS node
        JOIN _store.path AS inverse ON inverse.id = node.path_id
    ),
    _sum_of_powers AS NOT MATERIALIZED (
        SELECT path.*, summed.total
        FROM _store.path_in(@held_subcorpus@, @held_counts@) AS path
        JOIN (SELECT path_id, fsum(count) AS total FROM _feature GROUP BY path_id) AS summed ON summed.path_id = path.id
    ),
    _power_of_sum_of_all AS NOT MATERIALIZED (
        SELECT path.*, summed.total
        FROM _store.path_in(@held_subcorpus@, @held_counts@) AS path
        CROSS JOIN (
            SELECT _store.discounted_count(sum(count), @held_cds@) AS total
            FROM _store.path_in(@held_subcorpus@, @held_counts@)
        ) AS summed
    ),
    _sum_of_powers_of_all AS NOT MATERIALIZED (
        SELECT path.*, summed.total
        FROM _store.path_in(@held_subcorpus@, @held_counts@) AS path
        CROSS JOIN (SELECT fsum(count) AS total FROM _feature) AS summed
    )
    FROM query_table(
        CASE WHEN _store.sums_powers(weights, @own_options@) THEN '_sum_of_powers' ELSE '_power_of_sum' END
        || CASE WHEN @held_scope@ = 'all' THEN '_of_all' ELSE '' END
    )
);

-- The pmi of a co-occurrence, as the paper's section 5.1 prints it, from n, its lexeme's and its feature's marginal and
-- the total; minus ln k for a shift of k.
CREATE OR REPLACE MACRO _store.unshifted_pmi(n, lexeme_count, feature_count, total) AS
    ln(n * total / (lexeme_count * feature_count));
CREATE OR REPLACE MACRO _store.pmi(n, lexeme_count, feature_count, total, weights, @own_options@) AS
    _store.unshifted_pmi(
        n, lexeme_count, _store.discounted_count(feature_count, @held_cds@), total
    ) - ln(coalesce(@held_shift@, 1));

-- A row: a row of the relation named (tally) with its weight under a scheme (meaning.md 4.1), from its columns n,
-- n_lexeme (all its lexeme meets), n_node and n_feature (the marginals of its lexeme's node and of its feature), n_path
-- (the count of its path), and what pmi compares: n_compared, a marginal of the lexeme, and total. Only the scheme that
-- is asked for is planned.
CREATE OR REPLACE MACRO _store.weighed(tally, scheme, weights, @own_options@) AS TABLE (
    WITH _raw_count AS NOT MATERIALIZED (SELECT *, n::DOUBLE AS weight FROM query_table(tally)),
    _probability AS NOT MATERIALIZED (SELECT *, n / n_lexeme AS weight FROM query_table(tally)),
    _pmi AS NOT MATERIALIZED (
        SELECT *, _store.pmi(n, n_compared, n_feature, total, weights, @own_options@) AS weight FROM query_table(tally)
    ),
    _ppmi AS NOT MATERIALIZED (FROM _pmi WHERE weight > 0),
    _lmi AS NOT MATERIALIZED (SELECT * REPLACE (n * weight AS weight) FROM _pmi),
    _log_dice AS NOT MATERIALIZED (
        SELECT *, 14 + log2(2 * n / (n_node + n_feature)) AS weight FROM query_table(tally)
    ),
    _surplus AS NOT MATERIALIZED (
        SELECT *, _store.surplus(n, n_node, n_feature, n_path) AS surplus FROM query_table(tally)
    ),
    _log_likelihood AS NOT MATERIALIZED (
        SELECT * EXCLUDE (surplus), _store.log_likelihood(n, n_node, n_feature, n_path, surplus) AS weight
        FROM _surplus
    )
    FROM query_table('_' || scheme)
);

-- A row: a lexeme and its place among those that have the same weight: the more frequent first, then by text.
CREATE OR REPLACE MACRO _store.lexeme_place(subcorpus) AS TABLE (
    SELECT id AS lexeme_id, row_number() OVER (ORDER BY frequency DESC, text ASC) AS place
    FROM _store.lexeme_in(subcorpus)
);

-- A row: a path and its place by text.
CREATE OR REPLACE VIEW _store.path_place AS
SELECT id AS path_id, row_number() OVER (ORDER BY text ASC) AS place
FROM _store.path;

-- A row: a feature, by its id, which is that of the node of its context at the inverse path.
CREATE OR REPLACE VIEW _store.feature AS
SELECT node.id AS feature_id, path.inverse_id AS path_id, node.lexeme_id AS context_id
FROM _store.node
JOIN _store.path ON path.id = node.path_id;

-- A row: a co-occurrence, by ids, with what is known of its lexeme.
CREATE OR REPLACE MACRO _store.met(subcorpus, counts) AS TABLE (
    SELECT cooccurrence.lexeme_id, lexeme.frequency, lexeme.cooccurrences, cooccurrence.path_id,
        cooccurrence.context_id, cooccurrence.count, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS context
    FROM _store.cooccurrence_in(subcorpus, counts) AS cooccurrence
    JOIN _store.lexeme_in(subcorpus, counts) AS lexeme ON lexeme.id = cooccurrence.lexeme_id
);

-- A row: the same, found from its context: the co-occurrence of the context with the lexeme along the inverse path is
-- as often. Those of a range of contexts lie side by side.
CREATE OR REPLACE MACRO _store.met_by_context(subcorpus, counts) AS TABLE (
    SELECT lexeme.id AS lexeme_id, lexeme.frequency, lexeme.cooccurrences, path.inverse_id AS path_id,
        mirror.lexeme_id AS context_id, mirror.count, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS context
    FROM _store.cooccurrence_in(subcorpus, counts) AS mirror
    JOIN _store.path ON path.id = mirror.path_id
    JOIN _store.lexeme_in(subcorpus, counts) AS lexeme ON lexeme.id = mirror.context_id
);

-- A row: a co-occurrence of the relation named (as _store.met has it) that the filters let through, with the counts
-- that schemes make weights of. own_nodes names the nodes of its lexemes. n_τw', the marginal of the feature, is
-- n_w'τ⁻¹, the node of the context at the inverse path, whose id is also the feature's. bare: whether these ids are of
-- no use, so that schemes that need no marginals of nodes are spared them.
CREATE OR REPLACE MACRO _store.tally(met, own_nodes, bare, scheme, weights, @own_options@) AS TABLE (
    WITH _with_marginals AS NOT MATERIALIZED (
        SELECT met.lexeme_id, met.lexeme, met.path_id, path.text AS path, met.context_id, met.context,
            feature.id AS feature_id, met.frequency, path.path_order, met.count AS n,
            met.cooccurrences AS n_lexeme, own.count AS n_node, feature.count AS n_feature, path.count AS n_path, CASE
                WHEN @held_scope@ = 'all' THEN met.cooccurrences ELSE own.count
            END AS n_compared,
            path.total
        FROM query_table(met) AS met
        JOIN _store.path_total(weights, @own_options@) AS path ON path.id = met.path_id
        JOIN query_table(own_nodes) AS own ON own.lexeme_id = met.lexeme_id AND own.path_id = met.path_id
        JOIN _store.node_in(@held_subcorpus@, @held_counts@) AS feature
            ON feature.lexeme_id = met.context_id AND feature.path_id = path.inverse_id
    ),
    _without_marginals AS NOT MATERIALIZED (
        SELECT met.lexeme_id, met.lexeme, met.path_id, path.text AS path, met.context_id, met.context,
            NULL::BIGINT AS feature_id, met.frequency, path.path_order, met.count AS n,
            met.cooccurrences AS n_lexeme, NULL::BIGINT AS n_node, NULL::BIGINT AS n_feature, path.count AS n_path,
            NULL::BIGINT AS n_compared, NULL::DOUBLE AS total
        FROM query_table(met) AS met
        JOIN _store.path_in(@held_subcorpus@, @held_counts@) AS path
            ON path.id = met.path_id
    )
    FROM query_table(
        CASE
            WHEN bare AND scheme IN ('raw_count', 'probability') AND @held_min_feature_count@ IS NULL
            THEN '_without_marginals'
            ELSE '_with_marginals'
        END
    ) AS tally
    WHERE (@held_min_count@ IS NULL OR tally.n >= @held_min_count@)
        AND (
            @held_min_feature_count@ IS NULL
            OR tally.n_feature >= @held_min_feature_count@
        )
        AND (@held_max_order@ IS NULL OR tally.path_order <= @held_max_order@)
        AND (
            @held_min_frequency@ IS NULL
            OR tally.frequency >= @held_min_frequency@
        )
);

-- Whether a relation of lexemes that has a name is that of all.
CREATE OR REPLACE MACRO _store.are_all(lexemes) AS
    lexemes = '_store.every_lexeme';

-- A row: the weight of one co-occurrence of the relation named under a built-in scheme, by ids, with the texts that
-- the relation has; where top_features or top_features_per_path asks for it, only the heaviest of its lexeme, or of its
-- lexeme along its path. Ties go to the more frequent context. Only the places that are asked for are planned.
-- (Partitions have the text of the lexeme too, so that a filter of the reader's on it stands below them.)
CREATE OR REPLACE MACRO _store.weighed_of(met, own_nodes, bare, weights, scheme, @own_options@) AS TABLE (
    WITH _tally AS NOT MATERIALIZED (FROM _store.tally(met, own_nodes, bare, scheme, weights, @own_options@)),
    _weighed AS NOT MATERIALIZED (
        SELECT lexeme_id, lexeme, path_id, path, context_id, context, feature_id, weight
        FROM _store.weighed('_tally', scheme, weights, @own_options@)
    ),
    _of_lexeme AS NOT MATERIALIZED (
        SELECT _weighed.*
        FROM _weighed
        JOIN _store.lexeme_place(@held_subcorpus@) AS lexeme_place
            ON lexeme_place.lexeme_id = _weighed.context_id
        JOIN _store.path_place ON path_place.path_id = _weighed.path_id
        QUALIFY row_number() OVER (
            PARTITION BY _weighed.lexeme_id, _weighed.lexeme
            ORDER BY round(_weighed.weight, 12) DESC, lexeme_place.place ASC, path_place.place ASC
        ) <= @held_top_features@
    ),
    _along_path AS NOT MATERIALIZED (
        SELECT _weighed.*
        FROM _weighed
        JOIN _store.lexeme_place(@held_subcorpus@) AS lexeme_place
            ON lexeme_place.lexeme_id = _weighed.context_id
        QUALIFY row_number() OVER (
            PARTITION BY _weighed.lexeme_id, _weighed.lexeme, _weighed.path_id
            ORDER BY round(_weighed.weight, 12) DESC, lexeme_place.place ASC
        ) <= @held_top_features_per_path@
    ),
    _of_both AS NOT MATERIALIZED (
        SELECT _of_lexeme.*
        FROM _of_lexeme
        SEMI JOIN _along_path
            ON _along_path.lexeme_id = _of_lexeme.lexeme_id AND _along_path.path_id = _of_lexeme.path_id
                AND _along_path.context_id = _of_lexeme.context_id
    )
    FROM query_table(
        CASE
            WHEN coalesce(@held_top_features@, @held_top_features_per_path@) IS NULL THEN '_weighed'
            WHEN @held_top_features_per_path@ IS NULL THEN '_of_lexeme'
            WHEN @held_top_features@ IS NULL THEN '_along_path'
            ELSE '_of_both'
        END
    )
);

-- A row: the weight of one co-occurrence of one of the lexemes in the relation named (column lexeme_id), by ids, under
-- a built-in scheme. Of all lexemes the tables themselves are read, without a join.
CREATE OR REPLACE MACRO _store.scheme_weights(lexemes, weights, scheme, @own_options@) AS TABLE (
    -- A row: one of the lexemes. (After a join DuckDB expects few rows, after a semi-join as many as before; and where
    -- a question is asked of each row of a table, a semi-join would meet all rows of its left side for each.)
    WITH _each AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM query_table(lexemes)),
    _met_by_all AS NOT MATERIALIZED (FROM _store.met(@held_subcorpus@, @held_counts@)),
    _met_by_few AS NOT MATERIALIZED (
        SELECT met.* FROM _met_by_all AS met JOIN _each ON _each.lexeme_id = met.lexeme_id
    ),
    -- A row: a node of one of the lexemes. Without it by itself, one APT would be joined with the nodes of all.
    _own_node AS MATERIALIZED (
        SELECT node.lexeme_id, node.path_id, node.count
        FROM _store.node_in(@held_subcorpus@, @held_counts@) AS node
        JOIN _each ON _each.lexeme_id = node.lexeme_id
    ),
    _node AS NOT MATERIALIZED (FROM _store.node_in(@held_subcorpus@, @held_counts@))
    SELECT lexeme_id, path_id, context_id, feature_id, weight
    FROM _store.weighed_of(
        CASE WHEN _store.are_all(lexemes) THEN '_met_by_all' ELSE '_met_by_few' END,
        CASE WHEN _store.are_all(lexemes) THEN '_node' ELSE '_own_node' END,
        false, weights, scheme, @own_options@
    )
);

-- The same two without parameters.
CREATE OR REPLACE MACRO _store.plain_weighed_of(met, own_nodes, weights, scheme) AS TABLE (
    FROM _store.weighed_of(met, own_nodes, false, weights, scheme, @no_options@)
);
CREATE OR REPLACE MACRO _store.plain_weights(lexemes, weights, scheme) AS TABLE (
    FROM _store.scheme_weights(lexemes, weights, scheme, @no_options@)
);

-- A row: a weight of one of the lexemes in the relation named under ppmi, without parameters, as spaces are made of it.
-- (What _store.scheme_weights gives, planned in a fifth of the time.)
CREATE OR REPLACE MACRO _store.plain_ppmi(lexemes, subcorpus) AS TABLE (
    WITH _each AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM query_table(lexemes)),
    _own_node AS MATERIALIZED (
        SELECT node.lexeme_id, node.path_id, node.count
        FROM _store.node_in(subcorpus, NULL) AS node
        JOIN _each ON _each.lexeme_id = node.lexeme_id
    ),
    _pmi AS (
        SELECT met.lexeme_id, met.path_id, met.context_id,
            _store.unshifted_pmi(met.count, own.count, feature.count::DOUBLE, path.count::DOUBLE) AS weight
        FROM _each
        JOIN _store.cooccurrence_in(subcorpus, NULL) AS met ON met.lexeme_id = _each.lexeme_id
        JOIN _own_node AS own ON own.lexeme_id = met.lexeme_id AND own.path_id = met.path_id
        JOIN _store.path_in(subcorpus, NULL) AS path ON path.id = met.path_id
        JOIN _store.node_in(subcorpus, NULL) AS feature
            ON feature.lexeme_id = met.context_id AND feature.path_id = path.inverse_id
    )
    FROM _pmi WHERE weight > 0
);
