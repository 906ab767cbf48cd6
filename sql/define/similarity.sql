-- A cosine from its three sums; NULL where a vector is empty. Rounding may carry it past 1, and is cut off.
CREATE OR REPLACE MACRO _store.cosine(dot, square_a, square_b) AS
    CASE
        WHEN square_a > 0 AND square_b > 0 AND isfinite(dot / (sqrt(square_a) * sqrt(square_b)))
        THEN greatest(-1, least(1, dot / (sqrt(square_a) * sqrt(square_b))))
    END;

-- One row: the cosine of two vectors (the paper's equation 6), each a relation named, of path_id, context_id and value.
CREATE OR REPLACE MACRO _store.compared(a, b) AS TABLE (
    WITH _shared AS (
        SELECT sum(_one.value * _other.value) AS dot
        FROM query_table(a) AS _one
        JOIN query_table(b) AS _other ON _other.path_id = _one.path_id AND _other.context_id = _one.context_id
    ),
    _one_length AS (SELECT sum(_one.value * _one.value) AS square FROM query_table(a) AS _one),
    _other_length AS (SELECT sum(_other.value * _other.value) AS square FROM query_table(b) AS _other)
    SELECT _store.cosine(coalesce(_shared.dot, 0), _one_length.square, _other_length.square) AS similarity
    FROM _shared, _one_length, _other_length
);

-- How alike two lexemes or phrases are: the cosine of their vectors, NULL where one of them is empty. The anchor is the
-- phrases'; beside a phrase, a lexeme has one word and no choice.
CREATE OR REPLACE MACRO similarity(
    a VARCHAR, b VARCHAR,
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS (
    WITH _a AS MATERIALIZED (
        FROM _store.lexeme_vector(
            a, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    ),
    _b AS MATERIALIZED (
        FROM _store.lexeme_vector(
            b, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    SELECT compared.similarity FROM _store.compared('_a', '_b') AS compared WHERE (SELECT _store.guard('@stamp@'))
), (
    a VARCHAR, b STRUCT(lexeme VARCHAR, delta VARCHAR)[],
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS (
    WITH _a AS MATERIALIZED (
        FROM _store.lexeme_vector(
            a, weights, merge, pipeline, aligned, 0,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    ),
    _b AS MATERIALIZED (
        FROM _store.phrase_vector(
            b, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    SELECT compared.similarity FROM _store.compared('_a', '_b') AS compared WHERE (SELECT _store.guard('@stamp@'))
), (
    a STRUCT(lexeme VARCHAR, delta VARCHAR)[], b VARCHAR,
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS (
    WITH _a AS MATERIALIZED (
        FROM _store.phrase_vector(
            a, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    ),
    _b AS MATERIALIZED (
        FROM _store.lexeme_vector(
            b, weights, merge, pipeline, aligned, 0,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    SELECT compared.similarity FROM _store.compared('_a', '_b') AS compared WHERE (SELECT _store.guard('@stamp@'))
), (
    a STRUCT(lexeme VARCHAR, delta VARCHAR)[], b STRUCT(lexeme VARCHAR, delta VARCHAR)[],
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS (
    WITH _a AS MATERIALIZED (
        FROM _store.phrase_vector(
            a, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    ),
    _b AS MATERIALIZED (
        FROM _store.phrase_vector(
            b, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    SELECT compared.similarity FROM _store.compared('_a', '_b') AS compared WHERE (SELECT _store.guard('@stamp@'))
);
