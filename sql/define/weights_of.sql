-- A row: one weight from a user's own relation (lexeme, path, context, weight), for the lexemes in the relation named
-- (column lexeme_id). A path or a context that the lexicon lacks has no id and keeps its text; in_feats tells whether
-- some lexeme of the lexicon has the feature. Rows with a NULL, or a weight that is no finite number, are none.
CREATE OR REPLACE MACRO _store.own_weights(lexemes, weights) AS TABLE (
    WITH _own AS (
        SELECT lexeme, path, context, weight
        FROM query_table(CASE WHEN _store.is_scheme(weights) IS NOT FALSE THEN '_store.no_weights' ELSE weights END)
    )
    SELECT lexeme.id AS lexeme_id,
        path.id AS path_id, CASE WHEN path.id IS NULL THEN _own.path END AS path_text,
        context.id AS context_id, CASE WHEN context.id IS NULL THEN _own.context END AS context_text,
        _own.weight::DOUBLE AS weight, feature.count IS NOT NULL AS in_feats
    FROM _own
    JOIN _store.lexeme ON lexeme.text = _own.lexeme
    SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = lexeme.id
    LEFT JOIN _store.path ON path.text = CASE WHEN _own.path = 'ε' THEN '' ELSE _own.path END
    LEFT JOIN _store.lexeme AS context ON context.text = _own.context
    LEFT JOIN _store.node AS feature ON feature.lexeme_id = context.id AND feature.path_id = path.inverse_id
    WHERE _own.path IS NOT NULL AND _own.context IS NOT NULL AND isfinite(_own.weight)
);

-- A row: one weight of a lexeme of the relation named, under a built-in scheme (counted by ids, only for these lexemes)
-- or from a user's own relation. What the lexicon knows has its id; what it does not has its text.
CREATE OR REPLACE MACRO _store.weights_of(lexemes, weights, options) AS TABLE (
    SELECT lexeme_id, path_id, NULL::VARCHAR AS path_text, context_id, NULL::VARCHAR AS context_text, weight,
        true AS in_feats
    FROM _store.scheme_weights(lexemes, weights, options)
    WHERE _store.is_scheme(weights)
    UNION ALL
    SELECT lexeme_id, path_id, path_text, context_id, context_text, weight, in_feats
    FROM _store.own_weights(lexemes, weights)
    WHERE _store.is_scheme(weights) IS NOT TRUE
);
