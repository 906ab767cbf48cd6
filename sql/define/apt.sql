-- A row: one feature of the APT of one of the questions named that are lexemes, the paper's ‖w‖. Merging leaves a single
-- word as it is, so of the parameters of composition a lexeme only asks that they be right.
CREATE OR REPLACE MACRO _store.lexeme_apt(questions, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id FROM _store.question_word(questions)
        WHERE (SELECT _store.check_asked(questions, weights, merge, pipeline, aligned, anchor, options))
    )
    SELECT _word.question, coalesce(path.text, weight.path_text) AS path,
        coalesce(context.text, weight.context_text) AS context, weight.weight
    FROM _store.weights_of('_word', weights, _store.scheme(weights), options) AS weight
    JOIN _word USING (lexeme_id)
    LEFT JOIN _store.path ON path.id = weight.path_id
    LEFT JOIN _store.lexeme AS context ON context.id = weight.context_id
);

-- A row: one feature of the APT of one of the questions named that are phrases, the paper's ‖t‖.
CREATE OR REPLACE MACRO _store.phrase_apt(questions, weights, merge, pipeline, aligned, anchor, options) AS TABLE (
    SELECT composed.question, composed.path, coalesce(context.text, composed.context_text) AS context, composed.weight
    FROM _store.composed(questions, weights, merge, pipeline, aligned, anchor, options) AS composed
    LEFT JOIN _store.lexeme AS context ON context.id = composed.context_id
);

-- A row: one feature of the APT of a lexeme or of a phrase.
CREATE OR REPLACE MACRO apt(x VARCHAR, @weighting@, min_frequency := NULL, @composition@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_lexeme(x)
    )
    SELECT path, context, weight
    FROM _store.lexeme_apt('_question', weights, merge, pipeline, aligned, anchor, @options@)
    WHERE (SELECT @admitted@)
), (x STRUCT(lexeme VARCHAR, delta VARCHAR)[], @weighting@, min_frequency := NULL, @composition@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_phrase(x)
    )
    SELECT path, context, weight
    FROM _store.phrase_apt('_question', weights, merge, pipeline, aligned, anchor, @options@)
    WHERE (SELECT @admitted@)
);

-- A row: one feature of the APT composed for a phrase (the paper's equation 9).
CREATE OR REPLACE MACRO compose(
    phrase STRUCT(lexeme VARCHAR, delta VARCHAR)[], @composition@, @weighting@, min_frequency := NULL
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_phrase(phrase)
    )
    SELECT path, context, weight
    FROM _store.phrase_apt('_question', weights, merge, pipeline, aligned, anchor, @options@)
    WHERE (SELECT @admitted@)
);
