-- A row: one dimension of the vector of one of the questions named that are lexemes.
CREATE OR REPLACE MACRO _store.lexeme_question_vectors(
    questions, weights, @composition_inside@, @own_options@, phi
) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id
        FROM _store.question_word(questions, @held_subcorpus@, weights, _store.scheme(weights), missing, @own_options@)
        WHERE CASE
                WHEN _store.check_asked_of_lexemes(questions, weights, @composition_inside@, @own_options@)
                    AND (SELECT _store.check_phi_of(questions, phi))
                THEN lexeme_id IS NOT NULL
            END
    ),
    _counted AS NOT MATERIALIZED (
        SELECT _word.question, vector.feature_id, vector.value
        FROM _store.lexeme_vectors('_word', weights, @own_options@, phi, nodes) AS vector
        JOIN _word USING (lexeme_id)
    ),
    _apt AS NOT MATERIALIZED (
        FROM _store.merged_apt(questions, weights, _store.scheme(weights), @composition_of_word@, @own_options@)
    ),
    _smoothed AS NOT MATERIALIZED (
        FROM _store.apt_vectors('_apt', '_word', weights, phi, @held_subcorpus@, @held_counts@)
    )
    SELECT vector.question, vector.feature_id, vector.value
    FROM query_table(
        CASE WHEN smooth = 'none' AND met_elsewhere IS NULL THEN '_counted' ELSE '_smoothed' END
    ) AS vector
);

-- A row: one dimension of the vector of one of the questions named that are phrases, seen from its anchor.
CREATE OR REPLACE MACRO _store.phrase_question_vectors(
    questions, weights, @composition_inside@, @own_options@, phi
) AS TABLE (
    -- A row: a question and the lexeme or entry that it is anchored at.
    WITH _anchored AS NOT MATERIALIZED (
        SELECT asked.question, known.id AS lexeme_id
        FROM query_table(questions) AS asked
        JOIN _store.names(@held_subcorpus@) AS known ON known.text = asked.anchored
    ),
    _apt AS NOT MATERIALIZED (FROM _store.composed(questions, weights, @composition_inside@, @own_options@))
    FROM _store.apt_vectors('_apt', '_anchored', weights, phi, @held_subcorpus@, @held_counts@)
    WHERE (SELECT _store.check_phi_of(questions, phi))
);

-- A row: one dimension of the vector of one of the questions named. sort: whether they are lexemes, phrases, or both.
CREATE OR REPLACE MACRO _store.question_vectors(
    questions, sort, weights, @composition_inside@, @own_options@, phi
) AS TABLE (
    WITH _lexeme_dimension AS NOT MATERIALIZED (
        FROM _store.lexeme_question_vectors(questions, weights, @composition_inside@, @own_options@, phi)
    ),
    _phrase_dimension AS NOT MATERIALIZED (
        FROM _store.phrase_question_vectors(questions, weights, @composition_inside@, @own_options@, phi)
    ),
    _of_lexeme AS MATERIALIZED (
        SELECT * REPLACE (0 AS anchor) FROM query_table(questions) WHERE name IS NOT NULL
    ),
    _of_phrase AS MATERIALIZED (FROM query_table(questions) WHERE name IS NULL),
    _dimension_of_either AS NOT MATERIALIZED (
        SELECT question, feature_id, value
        FROM _store.lexeme_question_vectors('_of_lexeme', weights, @composition_inside@, @own_options@, phi)
        WHERE _store.check_asked(questions, weights, @composition_inside@, @own_options@)
        UNION ALL
        SELECT question, feature_id, value
        FROM _store.phrase_question_vectors('_of_phrase', weights, @composition_inside@, @own_options@, phi)
    )
    SELECT question, feature_id, value
    FROM query_table(
        CASE sort
            WHEN 'lexemes' THEN '_lexeme_dimension'
            WHEN 'phrases' THEN '_phrase_dimension'
            ELSE '_dimension_of_either'
        END
    )
);
