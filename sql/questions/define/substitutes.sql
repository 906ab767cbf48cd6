-- Words for one place of a phrase, with what they have in common with the word in its context.

-- A row: a lexeme or entry of those named (lexeme_id), and the features that it shares with question 1, those with the
-- greatest product of both weights: three at most, as text. vectors names that of the question.
CREATE OR REPLACE MACRO _store.reasons(best, vectors, weights, @own_options@, phi, nodes) AS TABLE (
    WITH _both AS MATERIALIZED (
        SELECT own.lexeme_id, own.feature_id, own.value * asked.value AS product
        FROM _store.lexeme_vectors(best, weights, @own_options@, phi, nodes) AS own
        JOIN query_table(vectors) AS asked ON asked.feature_id = own.feature_id
    ),
    _placed AS (
        SELECT _both.lexeme_id, feature.path, feature.context, row_number() OVER (
                PARTITION BY _both.lexeme_id
                ORDER BY round(_both.product, 12) DESC, feature.frequency DESC NULLS LAST, feature.context ASC,
                    feature.path ASC
            ) AS place
        FROM _both
        JOIN _store.feature_text('_both', weights, @held_subcorpus@) AS feature
            ON feature.feature_id = _both.feature_id
        WHERE _both.product > 0
    )
    SELECT lexeme_id, string_agg(coalesce(nullif(path, ''), 'ε') || ' ' || context, ', ' ORDER BY place ASC) AS reasons
    FROM _placed
    WHERE place <= 3
    GROUP BY lexeme_id
);

-- A row: a lexeme that could replace a word of a phrase (anchor is its number, 0 for the root's word), its similarity
-- to that word in this context, the best first, and up to three features that they share. The word itself is left out.
-- Columns: lexeme VARCHAR, similarity DOUBLE, reasons VARCHAR
-- Example: FROM substitutes([{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}], top :=
--   3)
CREATE OR REPLACE MACRO substitutes(phrase := NULL, @parameters_of_substitutes@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.question(1, _store.about_phrase(_store.as_phrase(phrase), anchor))
    ),
    _vector AS MATERIALIZED (
        FROM _store.phrase_question_vectors(
            '_question', weights, @composing@, @neighbour_options@, _store.phi(phi, weights)
        )
    ),
    _asked AS MATERIALIZED (FROM _store.asked_pos('_question', _store.subcorpus(weights, subcorpus))),
    _other AS MATERIALIZED (
        SELECT near.lexeme_id, near.text, near.similarity, row_number() OVER (ORDER BY near.rank ASC) AS place
        FROM _store.ranked(
            '_asked', '_vector', false, {'top': NULL, 'pos': pos, 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights), _store.ranking_of(among, context, measure, weights)
        ) AS near
        JOIN _question ON near.text IS DISTINCT FROM _question.anchored
        QUALIFY place <= coalesce(top, 1)
    )
    SELECT _other.text AS lexeme, _store.round_similarity(_other.similarity) AS similarity, why.reasons
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('substitutes', row(phrase, @given_to_substitutes@)) AS _constants
    CROSS JOIN _other
    LEFT JOIN _store.reasons(
        '_other', '_vector', weights, @neighbour_options@, _store.phi(phi, weights), _store.context(context, weights)
    ) AS why ON why.lexeme_id = _other.lexeme_id
    WHERE _store.admitted('@stamp@', @neighbour_admitted@
        AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        ))
    ORDER BY _other.place ASC
);
