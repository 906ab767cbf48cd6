-- A row: one feature of the APT of one of the questions named that are lexemes, the paper's ‖w‖. Merging leaves a single
-- word as it is, so of the parameters of composition a lexeme asks that they be right, for its smoothing, and for the nodes.
CREATE OR REPLACE MACRO _store.lexeme_apt(questions, weights, @manner@, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id
        FROM _store.question_word(questions, weights, _store.scheme(weights), missing, options)
        WHERE lexeme_id IS NOT NULL
            AND (SELECT _store.check_asked(questions, weights, @manner@, options))
    ),
    _counted AS NOT MATERIALIZED (
        SELECT _word.question, coalesce(path.text, weight.path_text) AS path,
            coalesce(known.text, weight.context_text) AS context, weight.weight
        FROM _store.weights_of('_word', weights, _store.scheme(weights), options) AS weight
        JOIN _word USING (lexeme_id)
        LEFT JOIN _store.path ON path.id = weight.path_id
        LEFT JOIN _store.lexeme AS known ON known.id = weight.context_id
        WHERE _store.counts_for_lexeme(weight.path_id, nodes)
    ),
    _smoothed AS NOT MATERIALIZED (
        SELECT merged.question, merged.path, coalesce(known.text, merged.context_text) AS context, merged.weight
        FROM _store.smoothed_lexeme_apt(questions, weights, @manner@, options) AS merged
        LEFT JOIN _store.lexeme AS known ON known.id = merged.context_id
        WHERE (SELECT _store.check_asked(questions, weights, @manner@, options))
    )
    FROM query_table(CASE WHEN smooth = 'none' THEN '_counted' ELSE '_smoothed' END)
);

-- A row: one feature of the APT of one of the questions named that are phrases, the paper's ‖t‖.
CREATE OR REPLACE MACRO _store.phrase_apt(questions, weights, @manner@, options) AS TABLE (
    SELECT composed.question, composed.path, coalesce(known.text, composed.context_text) AS context, composed.weight
    FROM _store.composed(questions, weights, @manner@, options) AS composed
    LEFT JOIN _store.lexeme AS known ON known.id = composed.context_id
);

-- A row: one feature of the APT of a lexeme or of a phrase.
CREATE OR REPLACE MACRO apt(x VARCHAR, @weighting@, min_frequency := NULL, @composition@, anchor := 0) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_lexeme(x, anchor)
    )
    SELECT feature.path, feature.context, feature.weight
    FROM _store.lexeme_apt('_question', weights, @composing@, @options@) AS feature
    WHERE (SELECT @admitted@)
), (
    x STRUCT(lexeme VARCHAR, delta VARCHAR)[], @weighting@, min_frequency := NULL, @composition@, anchor := 0
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_phrase(x, anchor)
    )
    SELECT feature.path, feature.context, feature.weight
    FROM _store.phrase_apt('_question', weights, @composing@, @options@) AS feature
    WHERE (SELECT @admitted@)
);

-- A row: one feature of the APT composed for a phrase (the paper's equation 9).
CREATE OR REPLACE MACRO compose(
    phrase STRUCT(lexeme VARCHAR, delta VARCHAR)[], @composition@, anchor := 0, @weighting@, min_frequency := NULL
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_phrase(phrase, anchor)
    )
    SELECT feature.path, feature.context, feature.weight
    FROM _store.phrase_apt('_question', weights, @composing@, @options@) AS feature
    WHERE (SELECT @admitted@)
);

-- A row: one feature of the APT of one of the phrases of a relation (its name; columns as _store.asked_in has them). All are
-- composed at once; a lexeme by itself is a phrase of one word.
CREATE OR REPLACE MACRO compose_each(
    phrases, @composition@, anchor := 0, @weighting@, min_frequency := NULL
) AS TABLE (
    WITH _question AS MATERIALIZED (
        SELECT question, called, NULL::VARCHAR AS name, words, anchor AS anchor,
            _store.seen_from(words, anchor) AS seen_from, _store.anchored_word(words, anchor).lexeme AS anchored,
            _store.root_of(words) AS root
        FROM _store.asked_in(phrases, anchor)
    )
    SELECT asked.called AS phrase, feature.path, feature.context, feature.weight
    FROM _store.phrase_apt('_question', weights, @composing@, @options@) AS feature
    JOIN _question AS asked ON asked.question = feature.question
    WHERE (SELECT @admitted@)
);
