-- The value that context distribution smoothing makes of a count: its power α.
CREATE OR REPLACE MACRO _store.discounted_count(count, cds) AS
    CASE WHEN coalesce(cds, 1) = 1 THEN count::DOUBLE ELSE pow(count::DOUBLE, cds) END;

-- The total that pmi compares a feature's smoothed count with, one for all paths (scope 'all'): N^α, or the sum of
-- n_τw'^α over all features.
CREATE OR REPLACE MACRO _store.discounted_total(weights, options) AS
    CASE
        WHEN _store.cds_total(weights, options) = 'sum_of_powers' THEN (
            SELECT sum(smoothed.count)
            FROM (
                SELECT _store.discounted_count(node.count, _store.cds(weights, options)) AS count
                FROM _store.node
                WHERE _store.scope(weights, options) = 'all' AND _store.cds_total(weights, options) = 'sum_of_powers'
            ) AS smoothed
        )
        ELSE _store.discounted_count((SELECT sum(path.count) FROM _store.path), _store.cds(weights, options))
    END;

-- A row: a path and the total that pmi compares the smoothed counts of the path's features with (scope 'path'):
-- n_τ^α, or with cds_total 'sum_of_powers' the sum of n_τw'^α over the path's features (Levy, Goldberg & Dagan 2015).
CREATE OR REPLACE MACRO _store.discounted_path(weights, options) AS TABLE (
    -- A row: a feature's path and its smoothed count. No row where the total is the power of the sum.
    WITH _feature AS (
        SELECT inverse.inverse_id AS path_id, _store.discounted_count(node.count, _store.cds(weights, options)) AS count
        FROM _store.node
        JOIN _store.path AS inverse ON inverse.id = node.path_id
        WHERE _store.cds_total(weights, options) = 'sum_of_powers'
    ),
    _sum_of_powers AS (
        SELECT path_id, sum(count) AS total FROM _feature GROUP BY path_id
    )
    SELECT path.id, path.inverse_id, path.path_order, path.count,
        coalesce(_sum_of_powers.total, _store.discounted_count(path.count, _store.cds(weights, options))) AS total
    FROM _store.path
    LEFT JOIN _sum_of_powers ON _sum_of_powers.path_id = path.id
);

-- The pmi of a co-occurrence, as the paper's section 5.1 prints it, from n, its lexeme's and its feature's marginal and
-- the total; minus ln k for a shift of k.
CREATE OR REPLACE MACRO _store.pmi(n, lexeme_count, feature_count, total, weights, options) AS
    ln(n * total / (lexeme_count * _store.discounted_count(feature_count, _store.cds(weights, options))))
    - ln(coalesce(_store.shift(weights, options), 1));

-- The weight of a co-occurrence under a scheme (meaning.md 4.1), from n, all its lexeme meets, the marginals of its
-- lexeme's node and of its feature, the count of its path, and what pmi compares: a marginal of the lexeme, and a
-- total.
CREATE OR REPLACE MACRO _store.weighed(
    scheme, n, n_lexeme, n_node, n_feature, n_path, n_compared, total, weights, options
) AS
    CASE scheme
        WHEN 'raw_count' THEN n::DOUBLE
        WHEN 'probability' THEN n / n_lexeme
        WHEN 'log_dice' THEN 14 + log2(2 * n / (n_node + n_feature))
        WHEN 'log_likelihood' THEN _store.log_likelihood(n, n_node, n_feature, n_path)
        ELSE CASE WHEN scheme = 'lmi' THEN n ELSE 1 END
            * _store.pmi(n, n_compared, n_feature, total, weights, options)
    END;

-- A row: a lexeme and its place among those that have the same weight: the more frequent first, then by text.
CREATE OR REPLACE VIEW _store.lexeme_place AS
SELECT id AS lexeme_id, row_number() OVER (ORDER BY frequency DESC, text) AS place
FROM _store.lexeme;

-- A row: a path and its place by text.
CREATE OR REPLACE VIEW _store.path_place AS
SELECT id AS path_id, row_number() OVER (ORDER BY text) AS place
FROM _store.path;

-- A row: a co-occurrence of one of the lexemes in the relation named (column lexeme_id), by ids, with the counts that
-- schemes make weights of. n_τw', the marginal of the feature, is n_w'τ⁻¹, the node of the context at the inverse path,
-- whose id is also the feature's.
CREATE OR REPLACE MACRO _store.tally(lexemes, weights, options) AS TABLE (
    -- A row: a node of one of the lexemes. Without it by itself, one APT would be joined with the nodes of all.
    WITH _own_node AS MATERIALIZED (
        SELECT node.lexeme_id, node.path_id, node.count, lexeme.cooccurrences
        FROM _store.node
        SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = node.lexeme_id
        JOIN _store.lexeme ON lexeme.id = node.lexeme_id
        WHERE _store.min_frequency(weights, options) IS NULL
            OR lexeme.frequency >= _store.min_frequency(weights, options)
    ),
    _met AS NOT MATERIALIZED (
        SELECT cooccurrence.lexeme_id, cooccurrence.path_id, cooccurrence.context_id, feature.id AS feature_id,
            cooccurrence.count AS n, feature.count AS n_feature, path.count AS n_path, path.total
        FROM _store.cooccurrence
        SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = cooccurrence.lexeme_id
        JOIN _store.discounted_path(weights, options) AS path ON path.id = cooccurrence.path_id
        JOIN _store.node AS feature
            ON feature.lexeme_id = cooccurrence.context_id AND feature.path_id = path.inverse_id
        WHERE (_store.min_count(weights, options) IS NULL OR cooccurrence.count >= _store.min_count(weights, options))
            AND (
                _store.min_feature_count(weights, options) IS NULL
                OR feature.count >= _store.min_feature_count(weights, options)
            )
            AND (_store.max_order(weights, options) IS NULL OR path.path_order <= _store.max_order(weights, options))
    )
    SELECT _met.lexeme_id, _met.path_id, _met.context_id, _met.feature_id, _met.n, _met.n_feature, _met.n_path,
        _own_node.count AS n_node, _own_node.cooccurrences AS n_lexeme, CASE
            WHEN _store.scope(weights, options) = 'all' THEN _own_node.cooccurrences ELSE _own_node.count
        END AS n_compared,
        CASE
            WHEN _store.scope(weights, options) = 'all' THEN _store.discounted_total(weights, options)
            ELSE _met.total
        END AS total
    FROM _met
    JOIN _own_node ON _own_node.lexeme_id = _met.lexeme_id AND _own_node.path_id = _met.path_id
);

-- Whether a weighting keeps all features of a lexeme, however light.
CREATE OR REPLACE MACRO _store.keeps_all(weights, options) AS
    coalesce(_store.top_features(weights, options), _store.top_features_per_path(weights, options)) IS NULL;

-- A row: a weight of the relation named that is among the heaviest of its lexeme, and of its lexeme along its path.
-- Ties go to the more frequent context.
CREATE OR REPLACE MACRO _store.heaviest(taken, weights, options) AS TABLE (
    -- A row: a weight with the places of its feature.
    WITH _placed AS (
        SELECT taken.lexeme_id, taken.path_id, taken.context_id, taken.feature_id, taken.weight,
            row_number() OVER (
                PARTITION BY taken.lexeme_id
                ORDER BY round(taken.weight, 12) DESC, lexeme_place.place, path_place.place
            ) AS place,
            row_number() OVER (
                PARTITION BY taken.lexeme_id, taken.path_id
                ORDER BY round(taken.weight, 12) DESC, lexeme_place.place
            ) AS place_along_path
        FROM query_table(taken) AS taken
        JOIN _store.lexeme_place ON lexeme_place.lexeme_id = taken.context_id
        JOIN _store.path_place ON path_place.path_id = taken.path_id
    )
    SELECT lexeme_id, path_id, context_id, feature_id, weight
    FROM _placed
    WHERE coalesce(place <= _store.top_features(weights, options), true)
        AND coalesce(place_along_path <= _store.top_features_per_path(weights, options), true)
);

-- A row: the weight of one co-occurrence of one of the lexemes in the relation named (column lexeme_id), by ids, under
-- a built-in scheme.
CREATE OR REPLACE MACRO _store.scheme_weights(lexemes, weights, scheme, options) AS TABLE (
    WITH _weighed AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, feature_id,
            _store.weighed(
                scheme, n, n_lexeme, n_node, n_feature, n_path, n_compared, total, weights, options
            ) AS weight
        FROM _store.tally(lexemes, weights, options)
    ),
    _taken AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, feature_id, weight
        FROM _weighed
        WHERE scheme <> 'ppmi' OR weight > 0
    ),
    _heaviest_of_all AS NOT MATERIALIZED (
        FROM _store.heaviest('_taken', weights, options)
    )
    FROM query_table(CASE WHEN _store.keeps_all(weights, options) THEN '_taken' ELSE '_heaviest_of_all' END)
);
