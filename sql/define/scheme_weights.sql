-- The value that context distribution smoothing makes of a count: its power α.
CREATE OR REPLACE MACRO _store.smooth(count, cds) AS
    CASE WHEN coalesce(cds, 1) = 1 THEN count::DOUBLE ELSE pow(count::DOUBLE, cds) END;

-- The total that pmi compares a feature's smoothed count with, one for all paths (scope 'all'): N^α, or the sum of
-- n_τw'^α over all features.
CREATE OR REPLACE MACRO _store.smoothed_total(options) AS
    CASE
        WHEN options['cds_total'] = 'sum_of_powers' THEN (
            SELECT sum(smoothed.count)
            FROM (
                SELECT _store.smooth(node.count, options['cds']) AS count
                FROM _store.node
                WHERE options['scope'] = 'all' AND options['cds_total'] = 'sum_of_powers'
            ) AS smoothed
        )
        ELSE _store.smooth((SELECT sum(path.count) FROM _store.path), options['cds'])
    END;

-- A row: a path and the total that pmi compares the smoothed counts of the path's features with (scope 'path'):
-- n_τ^α, or with cds_total 'sum_of_powers' the sum of n_τw'^α over the path's features (Levy, Goldberg & Dagan 2015).
CREATE OR REPLACE MACRO _store.smoothed_path(options) AS TABLE (
    -- A row: a feature's path and its smoothed count. No row where the total is the power of the sum.
    WITH _feature AS (
        SELECT inverse.inverse_id AS path_id, _store.smooth(node.count, options['cds']) AS count
        FROM _store.node
        JOIN _store.path AS inverse ON inverse.id = node.path_id
        WHERE options['cds_total'] = 'sum_of_powers'
    ),
    _sum_of_powers AS (
        SELECT path_id, sum(count) AS total FROM _feature GROUP BY path_id
    )
    SELECT path.id, path.inverse_id, path.path_order,
        coalesce(_sum_of_powers.total, _store.smooth(path.count, options['cds'])) AS total
    FROM _store.path
    LEFT JOIN _sum_of_powers ON _sum_of_powers.path_id = path.id
);

-- The pmi of a co-occurrence, as the paper's section 5.1 prints it, from n, its lexeme's and its feature's marginal and
-- the total; minus ln k for a shift of k.
CREATE OR REPLACE MACRO _store.pmi(n, lexeme_count, feature_count, total, options) AS
    ln(n * total / (lexeme_count * _store.smooth(feature_count, options['cds']))) - ln(coalesce(options['shift'], 1));

-- A row: the weight of one co-occurrence of one of the lexemes in the relation named (column lexeme_id), by ids, under a
-- built-in scheme. n_τw', the marginal of the feature, is n_w'τ⁻¹, the node of the context at the inverse path.
CREATE OR REPLACE MACRO _store.scheme_weights(lexemes, scheme, options) AS TABLE (
    WITH _tally AS (
        SELECT cooccurrence.lexeme_id, cooccurrence.path_id, cooccurrence.context_id, cooccurrence.count AS n,
            node.count AS n_node, feature.count AS n_feature, lexeme.cooccurrences AS n_lexeme,
            CASE WHEN options['scope'] = 'all' THEN lexeme.cooccurrences ELSE node.count END AS n_compared,
            CASE WHEN options['scope'] = 'all' THEN _store.smoothed_total(options) ELSE path.total END AS total
        FROM _store.cooccurrence
        SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = cooccurrence.lexeme_id
        JOIN _store.smoothed_path(options) AS path ON path.id = cooccurrence.path_id
        JOIN _store.lexeme ON lexeme.id = cooccurrence.lexeme_id
        JOIN _store.node ON node.lexeme_id = cooccurrence.lexeme_id AND node.path_id = cooccurrence.path_id
        JOIN _store.node AS feature
            ON feature.lexeme_id = cooccurrence.context_id AND feature.path_id = path.inverse_id
        WHERE cooccurrence.count >= coalesce(options['min_count'], 0)
            AND feature.count >= coalesce(options['min_feature_count'], 0)
            AND (options['max_order'] IS NULL OR path.path_order <= options['max_order'])
    ),
    _weighed AS (
        SELECT lexeme_id, path_id, context_id,
            CASE scheme
                WHEN 'raw_count' THEN n::DOUBLE
                WHEN 'probability' THEN n / n_lexeme
                WHEN 'log_dice' THEN 14 + log2(2 * n / (n_node + n_feature))
                WHEN 'lmi' THEN n * _store.pmi(n, n_compared, n_feature, total, options)
                ELSE _store.pmi(n, n_compared, n_feature, total, options)
            END AS weight
        FROM _tally
    )
    SELECT lexeme_id, path_id, context_id, weight
    FROM _weighed
    WHERE scheme <> 'ppmi' OR weight > 0
);
