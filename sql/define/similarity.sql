-- A row: the two sides of a comparison, as question 1 and question 2.
CREATE OR REPLACE MACRO _store.pair(a, b) AS TABLE (
    SELECT 1 AS question, a['name'] AS name, a['phrase'] AS words
    UNION ALL
    SELECT 2, b['name'], b['phrase']
);

-- One row: how alike two questions are, NULL where the vector of one is empty.
CREATE OR REPLACE MACRO _store.compared(
    a, b, weights, merge, pipeline, aligned, anchor, options, phi, measure
) AS TABLE (
    WITH _pair AS MATERIALIZED (
        FROM _store.pair(a, b)
    ),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors('_pair', weights, merge, pipeline, aligned, anchor, options, phi)
    ),
    _size AS MATERIALIZED (
        FROM _store.sizes('_vector') WHERE (SELECT _store.check_measure(measure))
    ),
    _both AS (
        SELECT one.total AS total_a, one.square AS square_a, other.total AS total_b, other.square AS square_b
        FROM (SELECT 1) AS always
        LEFT JOIN _size AS one ON one.question = 1
        LEFT JOIN _size AS other ON other.question = 2
    ),
    _part AS (
        SELECT _store.shared(measure, one.value, other.value, _both.total_a, _both.total_b) AS part
        FROM _vector AS one
        JOIN _vector AS other ON other.feature_id = one.feature_id
        CROSS JOIN _both
        WHERE one.question = 1 AND other.question = 2
    )
    SELECT _store.settled(_store.measured(
        measure, coalesce(summed.shared, 0), _both.total_a, _both.square_a, _both.total_b, _both.square_b
    )) AS similarity
    FROM _both
    CROSS JOIN (SELECT sum(part) AS shared FROM _part) AS summed
    WHERE (SELECT _store.check_sign(measure, lowest.least) FROM (SELECT min(least) AS least FROM _size) AS lowest)
        AND (SELECT _store.check_measure(measure))
);

-- How alike two lexemes or phrases are, by a measure of their vectors; NULL where one of them is empty. The anchor is the
-- phrases'; beside a phrase, a lexeme has one word and no choice.
CREATE OR REPLACE MACRO similarity(
    a VARCHAR, b VARCHAR, measure := 'cosine', phi := NULL, @weighting@, min_frequency := NULL, @composition@
) AS (
    SELECT similarity
    FROM _store.compared(
        _store.about_lexeme(a), _store.about_lexeme(b), weights, merge, pipeline, aligned, anchor, @options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @admitted@)
), (
    a VARCHAR, b STRUCT(lexeme VARCHAR, delta VARCHAR)[],
    measure := 'cosine', phi := NULL, @weighting@, min_frequency := NULL, @composition@
) AS (
    SELECT similarity
    FROM _store.compared(
        _store.about_lexeme(a), _store.about_phrase(b), weights, merge, pipeline, aligned, anchor, @options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @admitted@)
), (
    a STRUCT(lexeme VARCHAR, delta VARCHAR)[], b VARCHAR,
    measure := 'cosine', phi := NULL, @weighting@, min_frequency := NULL, @composition@
) AS (
    SELECT similarity
    FROM _store.compared(
        _store.about_phrase(a), _store.about_lexeme(b), weights, merge, pipeline, aligned, anchor, @options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @admitted@)
), (
    a STRUCT(lexeme VARCHAR, delta VARCHAR)[], b STRUCT(lexeme VARCHAR, delta VARCHAR)[],
    measure := 'cosine', phi := NULL, @weighting@, min_frequency := NULL, @composition@
) AS (
    SELECT similarity
    FROM _store.compared(
        _store.about_phrase(a), _store.about_phrase(b), weights, merge, pipeline, aligned, anchor, @options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @admitted@)
);
