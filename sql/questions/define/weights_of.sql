-- Whether weights that are written in a query, as weights := 'tfidf', name no table or view: the catalog lacks it, and
-- the query has the name nowhere else, as that of a common table expression. (Both are known while a query is planned;
-- but where Python's connection.sql() plans it, whose number is the last of all, its text is not, and DuckDB 2.0 stops
-- with an internal error if it is read. DuckDB computes what is constant whether or not it is asked for: of a scheme,
-- whose view takes 8 ms to plan, NULL is.)
CREATE OR REPLACE MACRO _store.names_no_relation(weights) AS
    CASE
        WHEN current_query_id() = 18446744073709551615 THEN false
        WHEN regexp_full_match(weights, '\w+')
            AND regexp_matches(current_query(), '(?i)\bweights\s*(:=|=>)\s*''' || weights || '''')
            AND NOT regexp_matches(replace(current_query(), '''' || weights || '''', ''), '(?i)\b' || weights || '\b')
        THEN coalesce(
            json_serialize_plan(
                'FROM "' || CASE WHEN _store.scheme(weights) IS NULL THEN weights END || '"'
            )::JSON ->> ['error_subtype', 'name']
            = ['MISSING_ENTRY', weights], false
        )
        ELSE false
    END;

-- What is said of weights that there are not.
CREATE OR REPLACE MACRO _store.no_weights(weights) AS
    'weights is ''' || weights || '''; expected ' || array_to_string(_store.schemes(), ', ')
    || ', the name of a weighting, or a view or table of yours with the columns lexeme, path, context and weight'
    || coalesce('; did you mean ' || list_filter(
        _store.schemes(), lambda each: jaro_winkler_similarity(each, lower(weights)) > 0.8
    )[1] || '?', '');

-- A row: one row of a user's own relation (lexeme, path, context, weight) that has no NULL. (Where there is no such
-- relation, _store.check_given says so: while a query is planned, no message of our own can be given.)
CREATE OR REPLACE MACRO _store.own_row(weights) AS TABLE (
    SELECT lexeme, CASE WHEN path = 'ε' THEN '' ELSE path END AS path, context, CASE
            WHEN isfinite(weight::DOUBLE) THEN weight::DOUBLE
            ELSE error(
                'the weight of ' || concat_ws(' ', lexeme, coalesce(nullif(path, ''), 'ε'), context)
                || ' in ' || weights || ' is ' || weight::DOUBLE || '; a weight is a finite number'
            )
        END AS weight
    FROM query_table(
        CASE WHEN _store.names_no_relation(weights) THEN 'raw_count' ELSE coalesce(weights, 'raw_count') END
    )
    WHERE lexeme IS NOT NULL AND path IS NOT NULL AND context IS NOT NULL AND weight IS NOT NULL
);

-- The id of a feature of the user's own weights: that of its node or, where no lexeme of the lexicon has it, a number
-- below 0 that its text alone decides. (Of ten million such features, the chance that any two share a number is one in
-- 200,000.)
CREATE OR REPLACE MACRO _store.own_feature_id(node_id, path, context) AS
    CASE
        WHEN node_id IS NOT NULL THEN node_id
        ELSE -1 - (md5_number_lower(len(path) || ' ' || path || context) // 2)::BIGINT
    END;

-- A row: one weight of an entry of the relation named (column lexeme_id), as _store.weights_of has those of lexemes.
CREATE OR REPLACE MACRO _store.stored_weights(lexemes, weights, scheme) AS TABLE (
    WITH _stored AS NOT MATERIALIZED (
        SELECT -stored.entry_id AS lexeme_id,
            path.id AS path_id, CASE WHEN path.id IS NULL THEN stored.path END AS path_text,
            known.id AS context_id, CASE WHEN known.id IS NULL THEN stored.context END AS context_text,
            feature.id AS feature_id, stored.weight, stored.path, stored.context
        FROM _store.entry_weight AS stored
        JOIN (SELECT DISTINCT lexeme_id FROM query_table(lexemes)) AS _asked ON _asked.lexeme_id = -stored.entry_id
        LEFT JOIN _store.path ON path.text = stored.path
        LEFT JOIN _store.lexeme AS known ON known.text = stored.context
        LEFT JOIN _store.node AS feature ON feature.lexeme_id = known.id AND feature.path_id = path.inverse_id
    ),
    -- A row: the same, with an id for the features that the user's own weights have, and none for others.
    _of_own_weights AS NOT MATERIALIZED (
        SELECT _stored.* REPLACE (
            CASE
                WHEN own.path IS NOT NULL THEN _store.own_feature_id(_stored.feature_id, _stored.path, _stored.context)
            END AS feature_id
        )
        FROM _stored
        LEFT JOIN (
            SELECT DISTINCT own_row.path, own_row.context
            FROM _store.own_row(weights) AS own_row
            SEMI JOIN _stored ON _stored.path = own_row.path AND _stored.context = own_row.context
        ) AS own ON own.path = _stored.path AND own.context = _stored.context
    )
    SELECT lexeme_id, path_id, path_text, context_id, context_text, feature_id, weight
    FROM query_table(CASE WHEN scheme IS NULL THEN '_of_own_weights' ELSE '_stored' END)
);

-- Whether the weights asked for are kept: those of a weighting that has a name, and not the probabilities that stand in
-- for them where they are composed first; nor those of a subcorpus beside a weighting of the whole.
CREATE OR REPLACE MACRO _store.is_kept(weights, scheme, @own_options@) AS
    coalesce(
        _store.kept(weights) > 0 AND scheme = _store.scheme(weights)
        AND @held_subcorpus@ IS NOT DISTINCT FROM _store.subcorpus(weights, NULL),
        false
    );

-- A row: a weight that is kept under the weighting of this id. bare: whether its path and context are of no use, so
-- that they need not be looked up by the feature.
CREATE OR REPLACE MACRO _store.kept_weights(weighting, bare) AS TABLE (
    WITH _bare AS NOT MATERIALIZED (
        SELECT lexeme_id, NULL::INTEGER AS path_id, NULL::INTEGER AS context_id, feature_id, weight
        FROM _store.kept_weight
        WHERE weighting_id = weighting
    ),
    _with_feature AS NOT MATERIALIZED (
        SELECT _bare.lexeme_id, feature.path_id, feature.context_id, feature_id, _bare.weight
        FROM _bare
        JOIN _store.feature USING (feature_id)
    )
    FROM query_table(CASE WHEN bare THEN '_bare' ELSE '_with_feature' END)
);

-- Whether vectors need no paths: no node counts more than another, or not at all.
CREATE OR REPLACE MACRO _store.needs_no_paths(phi, nodes) AS
    phi = 'constant' AND coalesce(nodes, 'all') = 'all';

-- A row: one weight of a lexeme of the relation named, kept, or under a built-in scheme, counted by ids and only for
-- these lexemes. bare: whether paths and contexts are of no use. Of common table expressions those that are not read
-- are not even planned: the name chosen decides.
CREATE OR REPLACE MACRO _store.known_weights(lexemes, bare, weights, scheme, @own_options@) AS TABLE (
    WITH _kept_of_all AS NOT MATERIALIZED (FROM _store.kept_weights(_store.kept(weights), bare)),
    _kept_weight AS NOT MATERIALIZED (
        SELECT _kept_of_all.*
        FROM _kept_of_all
        JOIN (SELECT DISTINCT lexeme_id FROM query_table(lexemes)) AS _asked
            ON _asked.lexeme_id = _kept_of_all.lexeme_id
    ),
    _scheme_weight AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, feature_id, weight
        FROM _store.scheme_weights(lexemes, weights, scheme, @own_options@)
    )
    FROM query_table(
        CASE
            WHEN NOT _store.is_kept(weights, scheme, @own_options@) THEN '_scheme_weight'
            WHEN _store.are_all(lexemes) THEN '_kept_of_all'
            ELSE '_kept_weight'
        END
    )
);

-- A row: the same, or one weight from a user's own relation (scheme NULL), or one of an entry that is stored. What the
-- lexicon knows has its id; what it does not has its text. (A view of the user's own may stand on the views of schemes,
-- so that these must not stand on this.)
CREATE OR REPLACE MACRO _store.weights_of(lexemes, bare, weights, scheme, @own_options@) AS TABLE (
    WITH _known_weight AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, NULL::VARCHAR AS path_text, context_id, NULL::VARCHAR AS context_text, feature_id,
            weight
        FROM _store.known_weights(lexemes, bare, weights, scheme, @own_options@)
    ),
    _own AS NOT MATERIALIZED (
        SELECT lexeme.id AS lexeme_id,
            path.id AS path_id, path.inverse_id, CASE WHEN path.id IS NULL THEN own.path END AS path_text,
            context.id AS context_id, CASE WHEN context.id IS NULL THEN own.context END AS context_text,
            count(*) AS times, min(own.weight) AS weight
        FROM _store.own_row(weights) AS own
        JOIN _store.lexeme ON lexeme.text = own.lexeme
        JOIN (SELECT DISTINCT lexeme_id FROM query_table(lexemes)) AS _asked ON _asked.lexeme_id = lexeme.id
        LEFT JOIN _store.path ON path.text = own.path
        LEFT JOIN _store.lexeme AS context ON context.text = own.context
        GROUP BY ALL
    ),
    _named AS NOT MATERIALIZED (
        SELECT _own.*, lexeme.text AS lexeme, coalesce(_own.path_text, path.text) AS path,
            coalesce(_own.context_text, context.text) AS context
        FROM _own
        JOIN _store.lexeme ON lexeme.id = _own.lexeme_id
        LEFT JOIN _store.path ON path.id = _own.path_id
        LEFT JOIN _store.lexeme AS context ON context.id = _own.context_id
    ),
    _own_weight AS NOT MATERIALIZED (
        SELECT own.lexeme_id, own.path_id, own.path_text, own.context_id, own.context_text,
            _store.own_feature_id(feature.id, own.path, own.context) AS feature_id, CASE
                WHEN own.times > 1 THEN error(
                    weights || ' has '
                    || concat_ws(' ', own.lexeme, coalesce(nullif(own.path, ''), 'ε'), own.context, own.times, 'times')
                    || '; give each lexeme, path and context one weight, e.g. by GROUP BY'
                )
                WHEN own.path_id IS NULL AND own.path <> '' AND NOT path_is_valid(own.path) THEN error(
                    weights || ' has the path ''' || own.path
                    || '''; a path is as <amod<obj>nsubj, ups before downs, and reduced'
                )
                ELSE own.weight
            END AS weight
        FROM _named AS own
        LEFT JOIN _store.node AS feature ON feature.lexeme_id = own.context_id AND feature.path_id = own.inverse_id
    ),
    _counted_weight AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN scheme IS NULL THEN '_own_weight' ELSE '_known_weight' END)
    ),
    -- (Materialized: streamed into the joins that follow, DuckDB 2.0.0 mixes up the dictionaries of the two halves.)
    _any_weight AS MATERIALIZED (
        FROM _counted_weight
        UNION ALL
        FROM _store.stored_weights(lexemes, weights, scheme)
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_any_weight' ELSE '_counted_weight' END)
);
