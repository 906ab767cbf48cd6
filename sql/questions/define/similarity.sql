-- A feature of one of a pair, looked up in the vector of the other (b). Where pairs are few of those that there could
-- be, the expression has both, so that DuckDB cannot join vectors by their features first, all of them with all.
CREATE OR REPLACE MACRO _store.feature_in(b, feature_id, few) AS
    CASE WHEN few THEN xor(xor(feature_id::BIGINT, b::BIGINT), b::BIGINT) ELSE feature_id END;

-- A row: a pair of the relation named (a, b, numbers of questions), and how alike they are, NULL where the vector of
-- one is empty. vectors names those of the questions. few: whether the pairs are few of those that there could be.
CREATE OR REPLACE MACRO _store.compared_pairs(pairs, vectors, measure, few := false) AS TABLE (
    WITH _size AS MATERIALIZED (FROM _store.sizes(vectors) WHERE (SELECT _store.check_measure(measure))),
    _both AS MATERIALIZED (
        SELECT pair.a, pair.b, one.total AS total_a, one.square AS square_a, other.total AS total_b,
            other.square AS square_b
        FROM query_table(pairs) AS pair
        LEFT JOIN _size AS one ON one.question = pair.a
        LEFT JOIN _size AS other ON other.question = pair.b
    ),
    _shared AS (
        SELECT _both.a, _both.b, fsum(
            _store.shared(measure, one.value, other.value, _both.total_a, _both.total_b)
        ) AS shared
        FROM _both
        JOIN query_table(vectors) AS one ON one.question = _both.a
        JOIN query_table(vectors) AS other
            ON other.question = _both.b AND other.feature_id = _store.feature_in(_both.b, one.feature_id, few)
        GROUP BY _both.a, _both.b
    ),
    _measured AS NOT MATERIALIZED (
        SELECT _both.a, _both.b, _store.measured(
            measure, coalesce(_shared.shared, 0), _both.total_a, _both.square_a, _both.total_b, _both.square_b
        ) AS similarity
        FROM _both
        LEFT JOIN _shared ON _shared.a = _both.a AND _shared.b = _both.b
    ),
    _ranked AS MATERIALIZED (FROM _store.ranked_dimension(vectors)),
    _feature_of_both AS NOT MATERIALIZED (
        SELECT _both.a, _both.b, one.value AS value_a, other.value AS value_b, one.rank AS rank_a,
            other.rank AS rank_b, one.features AS features_a, other.features AS features_b
        FROM _both
        JOIN _ranked AS one ON one.question = _both.a
        JOIN _ranked AS other
            ON other.question = _both.b AND other.feature_id = _store.feature_in(_both.b, one.feature_id, few)
    ),
    _measured_by_rank AS NOT MATERIALIZED (
        SELECT _both.a, _both.b, _store.measured_by_rank(
            measure, coalesce(included.shared, 0), coalesce(included.apinc, 0), _both.total_a, _both.total_b
        ) AS similarity
        FROM _both
        LEFT JOIN _store.inclusion('_feature_of_both', measure) AS included
            ON included.a = _both.a AND included.b = _both.b
    )
    SELECT compared.a, compared.b, _store.round_similarity(compared.similarity) AS similarity
    FROM query_table(CASE WHEN _store.needs_ranks(measure) THEN '_measured_by_rank' ELSE '_measured' END) AS compared
    WHERE (SELECT _store.check_sign(measure, lowest.least) FROM (SELECT min(least) AS least FROM _size) AS lowest)
        AND (SELECT _store.check_measure(measure))
);

-- A row: one dimension of the vector of one of the two questions named, of which the second may be asked of another
-- subcorpus of the corpora than the first (other_subcorpus).
CREATE OR REPLACE MACRO _store.pair_vectors(
    questions, sort, weights, @composition_inside@, @own_options@, other_subcorpus, phi
) AS TABLE (
    WITH _first AS MATERIALIZED (FROM query_table(questions) WHERE question = 1),
    _second AS MATERIALIZED (FROM query_table(questions) WHERE question = 2),
    _of_one AS NOT MATERIALIZED (
        FROM _store.question_vectors(questions, sort, weights, @composition_inside@, @own_options@, phi)
    ),
    _of_two AS NOT MATERIALIZED (
        FROM _store.question_vectors('_first', sort, weights, @composition_inside@, @own_options@, phi)
        UNION ALL
        FROM _store.question_vectors('_second', sort, weights, @composition_inside@, @own_options_b@, phi)
    )
    FROM query_table(
        CASE WHEN given_subcorpus IS NOT DISTINCT FROM other_subcorpus THEN '_of_one' ELSE '_of_two' END
    )
);

-- The similarity of two lexemes or phrases, by a measure of their vectors; NULL if one of them is NULL, or has an empty
-- vector. anchor: that of phrases; anchor_b: that of the second, if it differs; lexemes need none. subcorpus_b: the
-- subcorpus of the second, if it differs. For many rows similarity_each is faster: similarity is computed for each row
-- that a SELECT reads, also for those that a LIMIT leaves out.
-- Example: SELECT similarity('shoot/NOUN', 'leaf/NOUN')
CREATE OR REPLACE MACRO similarity(a, b, @parameters_of_similarity@) AS (
    -- (Of a NULL nothing is asked, so that NULL comes back.)
    WITH _read_first AS NOT MATERIALIZED (SELECT a, b, @all_given@ WHERE @in_use@),
    _question AS MATERIALIZED (
        SELECT asked.*
        FROM _store.pair(_store.about(a, anchor), _store.about(b, coalesce(anchor_b, anchor))) AS asked
        WHERE list_bool_and(list_transform(asked.words, lambda word: word['lexeme'] IS NOT NULL))
    ),
    _vector AS MATERIALIZED (
        FROM _store.pair_vectors(
            '_question', _store.sort_of_pair(a, b), weights, @composing@, @options@, @subcorpus_b@,
            _store.phi(phi, weights)
        )
    ),
    _pair AS MATERIALIZED (SELECT 1 AS a, 2 AS b),
    _in_features AS NOT MATERIALIZED (
        SELECT similarity FROM _store.compared_pairs('_pair', '_vector', _store.measure(measure, weights))
    ),
    _reduced AS MATERIALIZED (
        FROM _store.pair_vectors_in_space(
            '_question', _store.sort_of_pair(a, b), space, subcorpus, @subcorpus_b@, @composing@
        )
    ),
    _in_space AS NOT MATERIALIZED (SELECT similarity FROM _store.compared_in_space('_pair', '_reduced')),
    _checked AS NOT MATERIALIZED (SELECT _store.admitted('@stamp@', @pair_admitted@) AS fine),
    _checked_in_space AS NOT MATERIALIZED (
        SELECT _store.admitted('@stamp@', _store.check_space(space, @space_given_of_similarity@)) AS fine
    )
    SELECT compared.similarity
    FROM _read_first
    CROSS JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS compared
    WHERE (SELECT fine FROM query_table(CASE WHEN space IS NULL THEN '_checked' ELSE '_checked_in_space' END))
);

-- That a pair names what is no question.
CREATE OR REPLACE MACRO _store.no_question(name) AS
    'no question ' || coalesce('''' || name || '''', 'NULL') || ' in the table; a and b name two of its questions';

-- A row: what similarity_each gives, with the neighbours that smoothing takes found before
-- (_store.neighbours_to_share), or NULL.
CREATE OR REPLACE MACRO _store.similarity_each_with(
    found_neighbours, questions, pairs := NULL, @parameters_of_similarity_each@
) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.asked_in(questions, anchor)),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors(
            '_question', 'both', weights, @composing_with_found@, @options@, _store.phi(phi, weights)
        )
    ),
    _no_pair AS NOT MATERIALIZED (SELECT NULL AS a, NULL AS b WHERE false),
    _each_with_each AS NOT MATERIALIZED (
        SELECT one.question AS a, other.question AS b, one.question AS place
        FROM _question AS one
        JOIN _question AS other ON other.question > one.question
    ),
    _named AS NOT MATERIALIZED (
        SELECT coalesce(one.question, error(_store.no_question(asked.a))) AS a,
            coalesce(other.question, error(_store.no_question(asked.b))) AS b, asked.place
        FROM (
            SELECT pair.a::VARCHAR AS a, pair.b::VARCHAR AS b, row_number() OVER () AS place
            FROM (
                SELECT * FROM query_table(coalesce(pairs, '_no_pair'))
                UNION ALL BY NAME
                SELECT a, b FROM _no_pair
            ) AS pair
        ) AS asked
        LEFT JOIN _question AS one ON one.called = asked.a
        LEFT JOIN _question AS other ON other.called = asked.b
    ),
    _chosen AS MATERIALIZED (
        FROM query_table(CASE WHEN pairs IS NULL THEN '_each_with_each' ELSE '_named' END)
    ),
    _pair AS MATERIALIZED (SELECT DISTINCT _chosen.a, _chosen.b FROM _chosen),
    _in_features AS NOT MATERIALIZED (
        FROM _store.compared_pairs(
            '_pair', '_vector', _store.measure(measure, weights), few := pairs IS NOT NULL
        )
    ),
    _reduced AS MATERIALIZED (FROM _store.space_question_vectors('_question', 'both', space, subcorpus, @composing@)),
    _in_space AS NOT MATERIALIZED (FROM _store.compared_in_space('_pair', '_reduced'))
    SELECT one.called AS a, other.called AS b, compared.similarity
    FROM _chosen
    JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS compared
        ON compared.a = _chosen.a AND compared.b = _chosen.b
    JOIN _question AS one ON one.question = _chosen.a
    JOIN _question AS other ON other.question = _chosen.b
    WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_space(space, @space_given_of_similarity_each@))
    ORDER BY _chosen.place ASC, _chosen.b ASC
);

-- A row: a pair of questions in a table, and their similarity. The argument is the name of the table. Its columns:
-- phrase, lexeme, delta, or lexeme alone. pairs: the name of a table of pairs (a, b) of questions; by default each
-- question is compared with each that follows it. All pairs are compared in one query.
-- Columns: a VARCHAR, b VARCHAR, similarity DOUBLE
-- Example: WITH t AS (SELECT unnest(['shoot/NOUN', 'leaf/NOUN', 'tour/NOUN']) AS lexeme) FROM similarity_each('t')
CREATE OR REPLACE MACRO similarity_each(
    questions VARCHAR, pairs VARCHAR := NULL, @parameters_of_similarity_each@
) AS TABLE (
    SELECT compared.*
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('similarity_each', row(questions, pairs, @given_to_similarity_each@)) AS _constants
    CROSS JOIN _store.similarity_each_with(NULL, questions, pairs := pairs, @arguments_of_similarity_each@) AS compared
    WHERE _store.admitted('@stamp@', true)
);
