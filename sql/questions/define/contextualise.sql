-- A row: a word of a phrase (anchor is its number), a rank, the neighbour of the word alone at this rank, and that of
-- the word in its context, the phrase anchored at the word (the paper's equation 11), each with its similarity; NULL if
-- there are no more neighbours.
-- Columns: anchor BIGINT, word VARCHAR, alone VARCHAR, similarity DOUBLE, in_context VARCHAR, similarity_there DOUBLE
-- Example: FROM contextualise([{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}], top
--   := 3)
CREATE OR REPLACE MACRO contextualise(phrase := NULL, @parameters_of_contextualise@) AS TABLE (
    WITH _position AS MATERIALIZED (
        SELECT unnest(range(1, len(_store.as_phrase(phrase)) + 1))::INTEGER AS position
    ),
    -- A row: a question: each word by itself, then each in its context.
    _question AS MATERIALIZED (
        SELECT position AS question, unnest(_store.about_lexeme(_store.as_phrase(phrase)[position].lexeme, 0))
        FROM _position
        UNION ALL
        SELECT len(_store.as_phrase(phrase)) + position, unnest(_store.about_phrase(_store.as_phrase(phrase), position))
        FROM _position
    ),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors(
            '_question', 'both', weights, @composing@, @neighbour_options@, _store.phi(phi, weights)
        )
    ),
    _asked AS MATERIALIZED (FROM _store.asked_pos('_question', _store.subcorpus(weights, subcorpus))),
    _in_features AS NOT MATERIALIZED (
        SELECT question, rank, text, similarity
        FROM _store.ranked(
            '_asked', '_vector', true, {'top': coalesce(top, 1), 'pos': pos, 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights), _store.ranking_of(among, context, measure, weights)
        )
    ),
    _reduced AS MATERIALIZED (FROM _store.space_question_vectors('_question', 'both', space, subcorpus, @composing@)),
    _in_space AS NOT MATERIALIZED (
        SELECT question, rank, text, similarity
        FROM _store.ranked_in_space('_question', 'both', '_reduced', coalesce(top, 1), pos, min_frequency, among, space)
    ),
    _near AS MATERIALIZED (
        FROM query_table(CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END)
    ),
    _beside AS (
        SELECT coalesce(alone.question, in_phrase.question - len(_store.as_phrase(phrase))) AS position,
            coalesce(alone.rank, in_phrase.rank) AS rank, alone.text AS alone, alone.similarity,
            in_phrase.text AS in_context, in_phrase.similarity AS similarity_there
        FROM (FROM _near WHERE question <= len(_store.as_phrase(phrase))) AS alone
        FULL JOIN (FROM _near WHERE question > len(_store.as_phrase(phrase))) AS in_phrase
            ON in_phrase.question = alone.question + len(_store.as_phrase(phrase)) AND in_phrase.rank = alone.rank
    )
    SELECT _beside.position AS anchor, _store.as_phrase(phrase)[_beside.position].lexeme AS word, _beside.alone,
        _store.round_similarity(_beside.similarity) AS similarity, _beside.in_context,
        _store.round_similarity(_beside.similarity_there) AS similarity_there
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('contextualise', row(phrase, @given_to_contextualise@)) AS _constants
    CROSS JOIN _beside
    WHERE _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_space(space, @space_given_of_contextualise@)
        AND _store.check_phrase(_store.as_phrase(phrase), 0)
        AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        ))
    ORDER BY _beside.position ASC, _beside.rank ASC
);
