-- Questions about several lexemes together: what is like all of them, and which is least like the others. Each of them
-- counts alike, however long its vector is.

-- A list of lexemes, or an error where it is something else; NULL is an empty one.
CREATE OR REPLACE MACRO _store.as_lexemes(name, lexemes) AS
    CASE
        WHEN typeof(lexemes) = '"NULL"' THEN []::VARCHAR[]
        WHEN NOT regexp_full_match(typeof(lexemes), '(VARCHAR|ENUM\(.*\)|JSON|"NULL"|INTEGER)\[\d*\]')
            OR len(list_filter(try_cast(lexemes AS VARCHAR[]), lambda lexeme: lexeme IS NULL)) > 0
        THEN error(name || ' is ' || lexemes::VARCHAR || '; expected a list of lexemes, e.g. [''dog/NOUN'']')
        ELSE coalesce(try_cast(lexemes AS VARCHAR[]), [])
    END;

-- A row: a lexeme that a question is about, as a question of its own, from 2 on, in the order in which they are named,
-- with its sign: 1 where what is like it is looked for, −1 where what is unlike it. One that is named twice is one.
CREATE OR REPLACE MACRO _store.signed_lexemes(positive, negative) AS TABLE (
    WITH _named AS (
        SELECT unnest(positive) AS lexeme, generate_subscripts(positive, 1) AS place, 1 AS sign
        UNION ALL
        SELECT unnest(negative), generate_subscripts(negative, 1), -1
    ),
    _once AS (
        SELECT lexeme, min(place) AS place, CASE
                WHEN count(DISTINCT sign) = 1 THEN min(sign)
                ELSE error(lexeme || ' is both positive and negative; give it only once')::INTEGER
            END AS sign
        FROM _named
        GROUP BY lexeme
    )
    SELECT 1 + row_number() OVER (ORDER BY sign DESC, place ASC) AS question, sign,
        unnest(_store.about_lexeme(lexeme, 0))
    FROM _once
);

-- True where so many lexemes can be asked about; otherwise an error that says how many there must be.
CREATE OR REPLACE MACRO _store.check_number(questions, fewest, wanted) AS (
    SELECT CASE
        WHEN count(*) < fewest THEN error(
            'lexemes given: ' || coalesce(string_agg(asked.name, ', '), 'none') || '; ' || wanted
        )
        ELSE true
    END
    FROM query_table(questions) AS asked
);

-- A row: one dimension of the mean of the vectors named (question, feature_id, value), as question 1. Each is made as
-- long as the others, and counts with its sign: lexemes names what tells it (question, sign).
CREATE OR REPLACE MACRO _store.mean_vector(vectors, lexemes) AS TABLE (
    WITH _summed AS (
        SELECT vector.feature_id, fsum(signed.sign * vector.value / sqrt(size.square)) AS value
        FROM query_table(vectors) AS vector
        JOIN _store.sizes(vectors) AS size ON size.question = vector.question AND size.square > 0
        JOIN query_table(lexemes) AS signed ON signed.question = vector.question
        GROUP BY vector.feature_id
    )
    SELECT 1 AS question, feature_id, value FROM _summed WHERE value <> 0
);

-- A row: a lexeme that is similar to some lexemes and dissimilar to others, and its similarity to the sum of their
-- vectors: all vectors are scaled to one length, and those of the negative are subtracted. The best first, without the
-- named lexemes. pos := 'same' is the part of speech of the first.
-- Columns: lexeme VARCHAR, similarity DOUBLE
-- Example: FROM most_similar(['shoot/NOUN', 'leaf/NOUN'], ['show/NOUN'], top := 3)
CREATE OR REPLACE MACRO most_similar(positive, negative := NULL, @parameters_of_most_similar@) AS TABLE (
    WITH _term AS MATERIALIZED (
        FROM _store.signed_lexemes(_store.as_lexemes('positive', positive), _store.as_lexemes('negative', negative))
    ),
    _vector AS MATERIALIZED (
        FROM _store.lexeme_question_vectors(
            '_term', weights, @composition_of_lexeme@, @neighbour_options@, _store.phi(phi, weights)
        )
        WHERE (SELECT _store.check_number('_term', 1, 'name one or more'))
    ),
    _mean AS MATERIALIZED (FROM _store.mean_vector('_vector', '_term')),
    _asked AS MATERIALIZED (
        SELECT 1 AS question, NULL AS itself, pos_id
        FROM _store.asked_pos('_term', _store.subcorpus(weights, subcorpus))
        WHERE question = 2
    ),
    _in_features AS NOT MATERIALIZED (
        FROM _store.ranked(
            '_asked', '_mean', false, {'top': NULL, 'pos': pos, 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights), _store.ranking_of('lexemes', 'all', measure, weights)
        )
    ),
    _reduced AS MATERIALIZED (
        FROM _store.space_question_vectors('_term', 'lexemes', space, subcorpus, @composition_of_lexeme@)
        WHERE (SELECT _store.check_number('_term', 1, 'name one or more'))
    ),
    _reduced_mean AS MATERIALIZED (FROM _store.mean_in_space('_reduced', '_term')),
    _first AS MATERIALIZED (
        SELECT 1 AS question, NULL::VARCHAR AS name, anchored FROM _term WHERE question = 2
    ),
    _in_space AS NOT MATERIALIZED (
        FROM _store.ranked_in_space('_first', 'both', '_reduced_mean', NULL, pos, min_frequency, 'lexemes', space)
    ),
    _other AS (
        SELECT near.text, near.similarity, row_number() OVER (ORDER BY near.rank ASC) AS place
        FROM query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS near
        ANTI JOIN _term ON _term.name = near.text
    )
    SELECT text AS lexeme, _store.round_similarity(similarity) AS similarity
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('most_similar', row(positive, negative, @given_to_most_similar@)) AS _constants
    CROSS JOIN _other
    WHERE place <= coalesce(top, 1)
        AND _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_space(space, @space_given_of_most_similar@)
            AND _store.check_neighbours(
            '_term', top, pos, min_frequency, 'lexemes', _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        ))
    ORDER BY place ASC
);

-- A row: one of several lexemes, and its similarity to the mean of all their vectors, NULL if its own is empty; the
-- least similar first.
-- Columns: lexeme VARCHAR, similarity DOUBLE
-- Example: FROM doesnt_match(['shoot/NOUN', 'leaf/NOUN', 'tour/NOUN'])
CREATE OR REPLACE MACRO doesnt_match(lexemes, @parameters_of_doesnt_match@) AS TABLE (
    WITH _term AS MATERIALIZED (
        FROM _store.signed_lexemes(_store.as_lexemes('lexemes', lexemes), []::VARCHAR[])
    ),
    _vector AS MATERIALIZED (
        FROM _store.lexeme_question_vectors(
            '_term', weights, @composition_of_lexeme@, @options@, _store.phi(phi, weights)
        )
        WHERE (SELECT _store.check_number('_term', 3, 'name three or more, of which one may not match the others'))
    ),
    _with_mean AS MATERIALIZED (
        FROM _store.mean_vector('_vector', '_term')
        UNION ALL
        FROM _vector
    ),
    _pair AS MATERIALIZED (SELECT 1 AS a, _term.question AS b FROM _term),
    _in_features AS NOT MATERIALIZED (
        FROM _store.compared_pairs('_pair', '_with_mean', _store.measure(measure, weights))
    ),
    _reduced AS MATERIALIZED (
        FROM _store.space_question_vectors('_term', 'lexemes', space, subcorpus, @composition_of_lexeme@)
        WHERE (SELECT _store.check_number('_term', 3, 'name three or more, of which one may not match the others'))
    ),
    _reduced_with_mean AS MATERIALIZED (
        FROM _store.mean_in_space('_reduced', '_term')
        UNION ALL
        SELECT question, vector FROM _reduced
    ),
    _in_space AS NOT MATERIALIZED (FROM _store.compared_in_space('_pair', '_reduced_with_mean'))
    SELECT _term.name AS lexeme, compared.similarity
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('doesnt_match', row(lexemes, @given_to_doesnt_match@)) AS _constants
    CROSS JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS compared
    JOIN _term ON _term.question = compared.b
    WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_space(space, @space_given_of_doesnt_match@))
    ORDER BY round(compared.similarity, 12) ASC NULLS LAST, _term.name ASC
);
