-- A row: one feature of the APT of one of the questions named that are lexemes, the paper's ‖w‖. Merging leaves a
-- single word as it is, so of the parameters of composition a lexeme asks that they be right, for its smoothing, and
-- for the nodes.
CREATE OR REPLACE MACRO _store.lexeme_apt(questions, weights, @composition_inside@, @own_options@) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id
        FROM _store.question_word(questions, @held_subcorpus@, weights, _store.scheme(weights), missing, @own_options@)
        WHERE lexeme_id IS NOT NULL
            AND _store.check_asked_of_lexemes(questions, weights, @composition_inside@, @own_options@)
    ),
    _counted AS NOT MATERIALIZED (
        SELECT _word.question, coalesce(path.text, weight.path_text) AS path,
            coalesce(known.text, weight.context_text) AS context, weight.weight
        FROM _store.weights_of('_word', false, weights, _store.scheme(weights), @own_options@) AS weight
        JOIN _word USING (lexeme_id)
        LEFT JOIN _store.path ON path.id = weight.path_id
        LEFT JOIN _store.lexeme AS known ON known.id = weight.context_id
        WHERE _store.counts_for_lexeme(weight.path_id, weight.path_text, nodes)
    ),
    _smoothed AS NOT MATERIALIZED (
        SELECT merged.question, merged.path, coalesce(known.text, merged.context_text) AS context, merged.weight
        FROM _store.merged_apt(
            questions, weights, _store.scheme(weights), @composition_of_word@, @own_options@
        ) AS merged
        LEFT JOIN _store.lexeme AS known ON known.id = merged.context_id
        WHERE _store.check_asked_of_lexemes(questions, weights, @composition_inside@, @own_options@)
    )
    FROM query_table(CASE WHEN smooth = 'none' THEN '_counted' ELSE '_smoothed' END)
);

-- A row: one feature of the APT of one of the questions named that are phrases, the paper's ‖t‖.
CREATE OR REPLACE MACRO _store.phrase_apt(questions, weights, @composition_inside@, @own_options@) AS TABLE (
    SELECT composed.question, composed.path, coalesce(known.text, composed.context_text) AS context, composed.weight
    FROM _store.composed(questions, weights, @composition_inside@, @own_options@) AS composed
    LEFT JOIN _store.lexeme AS known ON known.id = composed.context_id
);

-- A row: one feature of the APT of one of the questions named. sort: whether they are lexemes, phrases, or both.
CREATE OR REPLACE MACRO _store.question_apts(questions, sort, weights, @composition_inside@, @own_options@) AS TABLE (
    WITH _lexeme_feature AS NOT MATERIALIZED (
        FROM _store.lexeme_apt(questions, weights, @composition_inside@, @own_options@)
    ),
    _phrase_feature AS NOT MATERIALIZED (
        FROM _store.phrase_apt(questions, weights, @composition_inside@, @own_options@)
    ),
    _of_lexeme AS MATERIALIZED (
        SELECT * REPLACE (0 AS anchor) FROM query_table(questions) WHERE name IS NOT NULL
    ),
    _of_phrase AS MATERIALIZED (FROM query_table(questions) WHERE name IS NULL),
    _feature_of_either AS NOT MATERIALIZED (
        SELECT question, path, context, weight
        FROM _store.lexeme_apt('_of_lexeme', weights, @composition_inside@, @own_options@)
        WHERE _store.check_asked(questions, weights, @composition_inside@, @own_options@)
        UNION ALL
        SELECT question, path, context, weight
        FROM _store.phrase_apt('_of_phrase', weights, @composition_inside@, @own_options@)
    )
    SELECT question, path, context, weight
    FROM query_table(
        CASE sort
            WHEN 'lexemes' THEN '_lexeme_feature'
            WHEN 'phrases' THEN '_phrase_feature'
            ELSE '_feature_of_either'
        END
    )
);

-- A row: a feature of one of the questions named: of its APT or, in a space, one that this expects.
CREATE OR REPLACE MACRO _store.question_features(
    questions, sort, space, subcorpus, weights, @composition_inside@, @own_options@
) AS TABLE (
    WITH _in_features AS NOT MATERIALIZED (
        FROM _store.question_apts(questions, sort, weights, @composition_inside@, @own_options@)
    ),
    _reduced AS MATERIALIZED (
        FROM _store.space_question_vectors(questions, sort, space, subcorpus, @composition_inside@)
    ),
    _in_space AS NOT MATERIALIZED (FROM _store.expected('_reduced', space))
    FROM query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END)
);

-- A row: a feature in the APT of a lexeme or phrase, and its weight; in a space, the features that it predicts.
-- Columns: path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM apt('shoot/NOUN', shift := 2) ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE MACRO apt(x := NULL, @parameters_of_apt@) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.question(1, _store.about(x, anchor)))
    SELECT feature.path, feature.context, feature.weight
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('apt', row(x, @given_to_apt@)) AS _constants
    CROSS JOIN _store.question_features(
        '_question', _store.sort_of(x), space, subcorpus, weights, @composing@, @options@
    ) AS feature
    WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_space(space, @space_given_of_apt@))
);

-- A row: a feature in the composed APT of a phrase (the paper's equation 9), and its weight; in a space, the features
-- that it predicts.
-- Columns: path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM compose([{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}], merge :=
--   'min') LIMIT 10
CREATE OR REPLACE MACRO compose(phrase := NULL, @parameters_of_compose@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.question(1, _store.about_phrase(_store.as_phrase(phrase), anchor))
    )
    SELECT feature.path, feature.context, feature.weight
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('compose', row(phrase, @given_to_compose@)) AS _constants
    CROSS JOIN _store.question_features(
        '_question', 'phrases', space, subcorpus, weights, @composing@, @options@
    ) AS feature
    WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_space(space, @space_given_of_compose@))
);

-- A row: a feature in the composed APT of one of the phrases in a table, and its weight. The argument is the name of
-- the table. Its columns: phrase, lexeme, delta and, if rows are not in order, position; without delta, each lexeme is
-- a phrase. All phrases are composed in one query.
-- Columns: phrase VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: WITH t AS (SELECT 'green shoot' AS phrase, unnest(['shoot/NOUN', 'green/ADJ']) AS lexeme, unnest(['',
--   '<amod']) AS delta) FROM compose_each('t') LIMIT 10
CREATE OR REPLACE MACRO compose_each(phrases VARCHAR, @parameters_of_compose_each@) AS TABLE (
    WITH _question AS MATERIALIZED (
        SELECT question, called, unnest(_store.about_phrase(words, anchor))
        FROM _store.asked_in(phrases, anchor)
    )
    SELECT asked.called AS phrase, feature.path, feature.context, feature.weight
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('compose_each', row(phrases, @given_to_compose_each@)) AS _constants
    CROSS JOIN _store.question_features(
        '_question', 'phrases', space, subcorpus, weights, @composing@, @options@
    ) AS feature
    JOIN _question AS asked ON asked.question = feature.question
    WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_space(space, @space_given_of_compose_each@))
);
