-- A row: one weight from a user's own relation (lexeme, path, context, weight), for the lexemes in the relation named
-- (column lexeme_id). A path or a context that the lexicon lacks has no id and keeps its text; a feature that no lexeme
-- of the lexicon has, has none either. Rows with a NULL, or a weight that is no finite number, are none. (That weights
-- is no name at all is an error, which an empty relation in its place would let pass.)
CREATE OR REPLACE MACRO _store.own_weights(lexemes, weights) AS TABLE (
    WITH _own AS (
        SELECT lexeme, path, context, weight
        FROM query_table(coalesce(weights, 'raw_count'))
    )
    SELECT lexeme.id AS lexeme_id,
        path.id AS path_id, CASE WHEN path.id IS NULL THEN _own.path END AS path_text,
        context.id AS context_id, CASE WHEN context.id IS NULL THEN _own.context END AS context_text,
        feature.id AS feature_id, _own.weight::DOUBLE AS weight
    FROM _own
    JOIN _store.lexeme ON lexeme.text = _own.lexeme
    SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = lexeme.id
    LEFT JOIN _store.path ON path.text = CASE WHEN _own.path = 'ε' THEN '' ELSE _own.path END
    LEFT JOIN _store.lexeme AS context ON context.text = _own.context
    LEFT JOIN _store.node AS feature ON feature.lexeme_id = context.id AND feature.path_id = path.inverse_id
    WHERE _own.path IS NOT NULL AND _own.context IS NOT NULL AND isfinite(_own.weight)
);

-- Whether the weights asked for are kept: those of a weighting that has a name, and not the probabilities that stand in
-- for them where they are composed first.
CREATE OR REPLACE MACRO _store.is_kept(weights, scheme) AS
    coalesce(_store.kept(weights) > 0 AND scheme = _store.scheme(weights), false);

-- A row: one weight of a lexeme of the relation named, kept, or under a built-in scheme, counted by ids and only for
-- these lexemes. Of common table expressions those that are not read are not even planned: the name chosen decides.
CREATE OR REPLACE MACRO _store.known_weights(lexemes, weights, scheme, options) AS TABLE (
    WITH _kept_of_all AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, feature_id, weight
        FROM _store.kept_weight
        WHERE weighting_id = _store.kept(weights)
    ),
    _kept_weight AS NOT MATERIALIZED (
        SELECT _kept_of_all.*
        FROM _kept_of_all
        SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = _kept_of_all.lexeme_id
    ),
    _scheme_weight AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, feature_id, weight
        FROM _store.scheme_weights(lexemes, weights, scheme, options)
    )
    FROM query_table(
        CASE
            WHEN NOT _store.is_kept(weights, scheme) THEN '_scheme_weight'
            WHEN _store.are_all(lexemes) THEN '_kept_of_all'
            ELSE '_kept_weight'
        END
    )
);

-- A row: the same, or one weight from a user's own relation (scheme NULL), or one of an entry that is stored. What the
-- lexicon knows has its id; what it does not has its text. (A view of the user's own may stand on the views of schemes,
-- so that these must not stand on this.)
CREATE OR REPLACE MACRO _store.weights_of(lexemes, weights, scheme, options) AS TABLE (
    WITH _known_weight AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, NULL::VARCHAR AS path_text, context_id, NULL::VARCHAR AS context_text, feature_id,
            weight
        FROM _store.known_weights(lexemes, weights, scheme, options)
    ),
    _own_weight AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, path_text, context_id, context_text, feature_id, weight
        FROM _store.own_weights(lexemes, weights)
    ),
    _counted_weight AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN scheme IS NULL THEN '_own_weight' ELSE '_known_weight' END)
    ),
    -- (Materialized: streamed into the joins that follow, DuckDB 2.0.0 mixes up the dictionaries of the two halves.)
    _any_weight AS MATERIALIZED (
        FROM _counted_weight
        UNION ALL
        FROM _store.stored_weights(lexemes)
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_any_weight' ELSE '_counted_weight' END)
);
