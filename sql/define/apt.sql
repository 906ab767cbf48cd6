-- A row: one feature of the APT of a lexeme, the paper's ‖w‖.
CREATE OR REPLACE MACRO _store.lexeme_apt(name, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    WITH _asked AS MATERIALIZED (
        SELECT lexeme_id FROM _store.phrase_word(_store.one_word(name))
        WHERE (SELECT _store.check_question(
            _store.one_word(name), weights, merge, pipeline, aligned, anchor, options
        ))
    )
    SELECT coalesce(path.text, weight.path_text) AS path, coalesce(context.text, weight.context_text) AS context,
        weight.weight
    FROM _store.weights_of('_asked', weights, options) AS weight
    LEFT JOIN _store.path ON path.id = weight.path_id
    LEFT JOIN _store.lexeme AS context ON context.id = weight.context_id
);

-- A row: one feature of the APT of a phrase, the paper's ‖t‖.
CREATE OR REPLACE MACRO _store.phrase_apt(phrase, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    SELECT composed.path, coalesce(context.text, composed.context_text) AS context, composed.weight
    FROM _store.composed(phrase, weights, merge, pipeline, aligned, anchor, options) AS composed
    LEFT JOIN _store.lexeme AS context ON context.id = composed.context_id
);

-- A row: one feature of the APT of a lexeme or of a phrase. Merging leaves a single word as it is, so of the parameters
-- of composition a lexeme only asks that they be right.
CREATE OR REPLACE MACRO apt(
    x VARCHAR, weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE (
    FROM _store.lexeme_apt(
        x, weights, merge, pipeline, aligned, anchor,
        _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order)
    )
    WHERE (SELECT _store.guard('@stamp@'))
), (
    x STRUCT(lexeme VARCHAR, delta VARCHAR)[],
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE (
    FROM _store.phrase_apt(
        x, weights, merge, pipeline, aligned, anchor,
        _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order)
    )
    WHERE (SELECT _store.guard('@stamp@'))
);

-- A row: one feature of the APT composed for a phrase (the paper's equation 9).
CREATE OR REPLACE MACRO compose(
    phrase STRUCT(lexeme VARCHAR, delta VARCHAR)[], merge := 'sum',
    weights := 'ppmi', pipeline := 'compose-second', aligned := true, anchor := 0,
    cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE (
    FROM _store.phrase_apt(
        phrase, weights, merge, pipeline, aligned, anchor,
        _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order)
    )
    WHERE (SELECT _store.guard('@stamp@'))
);
