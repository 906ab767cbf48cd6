-- A row: one feature of the APT of a question that is a phrase, by either pipeline. compose-second ends with the
-- merging. compose-first merges probabilities, of which the filters alone hold, drops the features that no lexeme has
-- and makes ppmi of what is left, A, beside the lexicon: ln( (A(τ,w') / A(τ,*)) / (n_τw'^α / n_τ^α) ) − ln k.
-- Questions, options and composition are checked before.
CREATE OR REPLACE MACRO _store.composed(questions, weights, @composition_inside@, @own_options@) AS TABLE (
    WITH _merged_apt AS MATERIALIZED (
        FROM _store.merged_apt(
            questions, weights, CASE WHEN pipeline = 'compose-first' THEN 'probability' ELSE _store.scheme(weights) END,
            @composition_inside@, @own_options@
        )
        WHERE _store.check_asked(questions, weights, @composition_inside@, @own_options@)
    ),
    -- A row: a feature that some lexeme has, and its composed probability.
    _feature AS MATERIALIZED (
        SELECT _merged_apt.question, path.id AS path_id, path.text AS path, _merged_apt.context_id,
            _merged_apt.weight AS probability, feature.count AS n_feature
        FROM _merged_apt
        JOIN _store.path ON path.text = _merged_apt.path
        JOIN _store.node_in(@held_subcorpus@, @held_counts@) AS feature
            ON feature.lexeme_id = _merged_apt.context_id AND feature.path_id = path.inverse_id
    ),
    _reweighed AS NOT MATERIALIZED (
        SELECT _feature.question, _feature.path, _feature.context_id,
            _store.pmi(
                _feature.probability, node.probability, _feature.n_feature, smoothed.total, weights, @own_options@
            ) AS weight
        FROM _feature
        JOIN (
            SELECT question, path_id, sum(probability) AS probability
            FROM _feature
            GROUP BY question, path_id
        ) AS node USING (question, path_id)
        JOIN _store.path_total(weights, @own_options@) AS smoothed ON smoothed.id = _feature.path_id
    ),
    _composed_first AS NOT MATERIALIZED (
        SELECT question, path, context_id, NULL::VARCHAR AS context_text, weight FROM _reweighed WHERE weight > 0
    )
    FROM query_table(CASE WHEN pipeline = 'compose-first' THEN '_composed_first' ELSE '_merged_apt' END)
);
