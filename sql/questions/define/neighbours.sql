-- True where the neighbours asked for can be told; otherwise an error that names what is wrong, and what lexemes there
-- are of that part of speech or frequency.
CREATE OR REPLACE MACRO _store.check_neighbours(questions, top, tag, fewest, among, measure, subcorpus) AS (
    WITH _nothing AS NOT MATERIALIZED (SELECT NULL::VARCHAR AS problem),
    _of_tag AS NOT MATERIALIZED (
        SELECT CASE WHEN NOT coalesce(bool_or(own.pos = tag), false) THEN _store.no_pos(tag, subcorpus) END AS problem
        FROM (SELECT pos FROM _store.lexeme_in(subcorpus) UNION ALL SELECT pos FROM _store.stored_entry) AS own
    ),
    _frequent AS NOT MATERIALIZED (
        SELECT CASE
            WHEN fewest > max(frequency) THEN arg_max(text, frequency) || ', occurs ' || max(frequency) || ' times'
        END AS problem
        FROM _store.lexeme_in(subcorpus)
    )
    SELECT CASE
        @among_check@
        WHEN NOT _store.check_measure(measure) THEN false
        WHEN tag IS NULL THEN error('pos is NULL; expected same, any or a tag')
        WHEN coalesce(top < 0, true) THEN error('top is ' || coalesce(top::VARCHAR, 'NULL') || '; expected 0 or more')
        WHEN fewest < 0 THEN error('min_frequency is ' || fewest || '; expected 0 or more')
        WHEN tag = 'same' AND gathered.without_root THEN error(
            'no word of the phrase is its root (delta ''''), so pos cannot be the same; name a tag, or any'
        )
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN tags.problem IS NOT NULL THEN error(tags.problem || ', same, any')
        WHEN frequent.problem IS NOT NULL THEN error(
            'min_frequency is ' || fewest || ', but the most frequent lexeme, ' || frequent.problem
        )
        ELSE true
    END
    FROM _store.gathered_questions(questions) AS gathered
    CROSS JOIN query_table(CASE WHEN coalesce(tag, 'any') IN ('same', 'any') THEN '_nothing' ELSE '_of_tag' END) AS tags
    CROSS JOIN query_table(
        CASE WHEN among = 'lexemes' AND fewest IS NOT NULL THEN '_frequent' ELSE '_nothing' END
    ) AS frequent
);

-- A row: a neighbour of a lexeme or phrase, and its similarity, the best first; ties by frequency, then text.
-- Columns: lexeme VARCHAR, similarity DOUBLE
-- Example: FROM neighbours('shoot/NOUN', top := 5)
CREATE OR REPLACE MACRO neighbours(x := NULL, @parameters_of_neighbours@) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.question(1, _store.about(x, anchor))),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors(
            '_question', _store.sort_of(x), weights, @composing@, @neighbour_options@, _store.phi(phi, weights)
        )
    ),
    _asked AS MATERIALIZED (FROM _store.asked_pos('_question', _store.subcorpus(weights, subcorpus))),
    _in_features AS NOT MATERIALIZED (
        FROM _store.ranked(
            '_asked', '_vector', false, {'top': coalesce(top, 1), 'pos': pos, 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights), _store.ranking_of(among, context, measure, weights)
        )
    ),
    _reduced AS MATERIALIZED (
        FROM _store.space_question_vectors('_question', _store.sort_of(x), space, subcorpus, @composing@)
    ),
    _in_space AS NOT MATERIALIZED (
        FROM _store.ranked_in_space(
            '_question', _store.sort_of(x), '_reduced', coalesce(top, 1), pos, min_frequency, among, space
        )
    ),
    -- (Two relations: of what is not read nothing is planned, and these are most of what a question in a space costs.)
    _checked AS NOT MATERIALIZED (
        SELECT _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        )) AS fine
    ),
    _checked_in_space AS NOT MATERIALIZED (
        SELECT _store.admitted('@stamp@', _store.check_space(space, @space_given_of_neighbours@)
            AND _store.check_neighbours('_question', top, pos, min_frequency, among, 'cosine', subcorpus)) AS fine
    )
    SELECT near.text AS lexeme, _store.round_similarity(near.similarity) AS similarity
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('neighbours', row(x, @given_to_neighbours@)) AS _constants
    CROSS JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS near
    WHERE (SELECT fine FROM query_table(CASE WHEN space IS NULL THEN '_checked' ELSE '_checked_in_space' END))
    ORDER BY near.rank ASC
);

-- A row: a neighbour of one of the questions in a table, in the order of the questions, the nearest first. The argument
-- is the name of the table. Its columns: phrase, lexeme, delta, or lexeme alone. All questions are answered in one
-- query.
-- Columns: question VARCHAR, lexeme VARCHAR, similarity DOUBLE
-- Example: WITH t AS (SELECT unnest(['shoot/NOUN', 'leaf/NOUN']) AS lexeme) FROM neighbours_each('t', top := 3)
CREATE OR REPLACE MACRO neighbours_each(questions VARCHAR, @parameters_of_neighbours_each@) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.asked_in(questions, anchor)),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors(
            '_question', 'both', weights, @composing@, @neighbour_options@, _store.phi(phi, weights)
        )
    ),
    _asked AS MATERIALIZED (FROM _store.asked_pos('_question', _store.subcorpus(weights, subcorpus))),
    _in_features AS NOT MATERIALIZED (
        FROM _store.ranked(
            '_asked', '_vector', true, {'top': coalesce(top, 1), 'pos': pos, 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights), _store.ranking_of(among, context, measure, weights)
        )
    ),
    _reduced AS MATERIALIZED (FROM _store.space_question_vectors('_question', 'both', space, subcorpus, @composing@)),
    _in_space AS NOT MATERIALIZED (
        FROM _store.ranked_in_space('_question', 'both', '_reduced', coalesce(top, 1), pos, min_frequency, among, space)
    ),
    _checked AS NOT MATERIALIZED (
        SELECT _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        )) AS fine
    ),
    _checked_in_space AS NOT MATERIALIZED (
        SELECT _store.admitted('@stamp@', _store.check_space(space, @space_given_of_neighbours_each@)
            AND _store.check_neighbours('_question', top, pos, min_frequency, among, 'cosine', subcorpus)) AS fine
    )
    SELECT _question.called AS question, near.text AS lexeme, _store.round_similarity(near.similarity) AS similarity
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('neighbours_each', row(questions, @given_to_neighbours_each@)) AS _constants
    CROSS JOIN query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END) AS near
    JOIN _question ON _question.question = near.question
    WHERE (SELECT fine FROM query_table(CASE WHEN space IS NULL THEN '_checked' ELSE '_checked_in_space' END))
    ORDER BY near.question ASC, near.rank ASC
);
