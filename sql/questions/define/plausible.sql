-- Whether a word of a phrase is its gap: its lemma is _.
CREATE OR REPLACE MACRO _store.is_gap(lexeme) AS
    coalesce(_store.lemma_of(lexeme) = '_', false);

-- True where a phrase has one gap, and another word; otherwise an error that says so.
CREATE OR REPLACE MACRO _store.check_gap(phrase, candidates, top, tag, fewest, among, phi) AS
    CASE
        WHEN NOT _store.check_phrase(phrase, 0) THEN false
        WHEN len(list_filter(phrase, lambda word: _store.is_gap(word['lexeme']))) <> 1 THEN error(
            'expected a phrase with one gap, a word whose lemma is _, as _/ADJ; this has '
            || len(list_filter(phrase, lambda word: _store.is_gap(word['lexeme'])))
        )
        WHEN len(phrase) = 1 THEN error('the phrase is only a gap; add other words')
        WHEN len(candidates) = 0 THEN error('candidates is empty; name one or more, or leave it out')
        WHEN phi = 'probability' THEN error(
            'phi is ''probability'', but a gap has no paths of its own to weigh; expected constant or harmonic'
        )
        WHEN candidates IS NOT NULL AND coalesce(top::VARCHAR, tag, fewest::VARCHAR, among) IS NOT NULL THEN error(
            'all candidates that are named are ranked; leave out top, pos, min_frequency and among'
        )
        WHEN candidates IS NULL AND coalesce(tag, 'same') = 'same' AND _store.pos_of(
            list_filter(phrase, lambda word: _store.is_gap(word['lexeme']))[1].lexeme
        ) IS NULL THEN error(
            'the gap has no part of speech; write it as _/NOUN, name candidates, or give pos, e.g. any'
        )
        WHEN candidates IS NULL AND coalesce(tag, 'same') = 'same' AND NOT list_contains(
            (SELECT list(known.part_of_speech) FROM _store.pos(NULL) AS known),
            _store.pos_of(list_filter(phrase, lambda word: _store.is_gap(word['lexeme']))[1].lexeme)
        ) THEN error(_store.no_pos(
            _store.pos_of(list_filter(phrase, lambda word: _store.is_gap(word['lexeme']))[1].lexeme), NULL
        ))
        ELSE true
    END;

-- One row: the phrase that is left around its gap, seen from there: question 1.
CREATE OR REPLACE MACRO _store.around_gap(phrase) AS TABLE (
    SELECT 1 AS question, NULL::VARCHAR AS name,
        list_filter(phrase, lambda word: NOT _store.is_gap(word['lexeme'])) AS words, 0 AS anchor,
        coalesce(nullif(gap.delta, 'ε'), '') AS seen_from, gap.lexeme AS anchored,
        _store.anchored_word(phrase, 0).lexeme AS root
    FROM (SELECT list_filter(phrase, lambda word: _store.is_gap(word['lexeme']))[1] AS gap)
);

-- A row: one of the lexemes named (question, name) that may fill the gap of a phrase, and its similarity to the rest
-- of the phrase (of_rest: its vector, of question 1), with its place.
CREATE OR REPLACE MACRO _store.compared_fillers(
    fillers, of_rest, weights, @composition_inside@, @own_options@, phi, measure
) AS TABLE (
    WITH _vector AS MATERIALIZED (
        FROM query_table(of_rest)
        UNION ALL
        FROM _store.lexeme_question_vectors(fillers, weights, @composition_inside@, @own_options@, phi)
    ),
    _pair AS MATERIALIZED (SELECT 1 AS a, question AS b FROM query_table(fillers))
    SELECT filler.name AS lexeme, compared.similarity, row_number() OVER (
        ORDER BY round(compared.similarity, 12) DESC NULLS LAST, known.frequency DESC NULLS LAST, filler.name ASC
    ) AS place
    FROM _store.compared_pairs('_pair', '_vector', measure) AS compared
    JOIN query_table(fillers) AS filler ON filler.question = compared.b
    LEFT JOIN _store.lexeme_in(@held_subcorpus@) AS known ON known.text = filler.name
);

-- A row: a lexeme that may fill the gap of a phrase in a reduced space, and its similarity to the rest of the phrase
-- (question 1), with its place: of all lexemes that have a vector.
CREATE OR REPLACE MACRO _store.best_in_space(questions, vectors, top, tag, fewest, among, space) AS TABLE (
    SELECT text AS lexeme, similarity, rank AS place
    FROM _store.ranked_in_space(
        questions, 'phrases', vectors, coalesce(top, 10), coalesce(tag, 'same'), fewest, among, space
    )
);

-- A row: the same of the lexemes named (question, name), by their vectors in the space, those in the whole lexicon, as
-- all are ranked.
CREATE OR REPLACE MACRO _store.fillers_in_space(fillers, vectors, space, @composition_inside@) AS TABLE (
    WITH _vector AS MATERIALIZED (
        FROM query_table(vectors)
        UNION ALL
        FROM _store.space_question_vectors(fillers, 'lexemes', space, NULL, @composition_inside@)
    ),
    _pair AS MATERIALIZED (SELECT 1 AS a, question AS b FROM query_table(fillers))
    SELECT filler.name AS lexeme, compared.similarity, row_number() OVER (
        ORDER BY compared.similarity DESC NULLS LAST, known.frequency DESC NULLS LAST, filler.name ASC
    ) AS place
    FROM _store.compared_in_space('_pair', '_vector') AS compared
    JOIN query_table(fillers) AS filler ON filler.question = compared.b
    LEFT JOIN _store.lexeme AS known ON known.text = filler.name
);

-- A row: a lexeme that may fill the gap of a phrase, and the similarity of its APT to the rest of the phrase, anchored
-- at the gap (the paper's section 7.2), the best first: of the candidates, or of all lexemes with the gap's part of
-- speech.
-- Columns: lexeme VARCHAR, similarity DOUBLE
-- Example: FROM plausible([{'lexeme': '_/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}], top := 3)
CREATE OR REPLACE MACRO plausible(phrase := NULL, @parameters_of_plausible@) AS TABLE (
    -- (The gap is looked at first: of a phrase that has none, or is nothing else, the rest is not worth asking about.)
    WITH _question AS MATERIALIZED (
        FROM _store.around_gap(_store.as_phrase(phrase))
        WHERE (SELECT _store.check_gap(
            _store.as_phrase(phrase), @candidates@, top, pos, min_frequency, among, _store.phi(phi, weights)
        ))
    ),
    _of_rest AS MATERIALIZED (
        FROM _store.phrase_question_vectors(
            '_question', weights, @composing@, @neighbour_options@, _store.phi(phi, weights)
        )
    ),
    _asked AS MATERIALIZED (FROM _store.asked_pos('_question', _store.subcorpus(weights, subcorpus))),
    _best AS NOT MATERIALIZED (
        SELECT text AS lexeme, _store.round_similarity(similarity) AS similarity, rank AS place
        FROM _store.ranked(
            '_asked', '_of_rest', false,
            {'top': coalesce(top, 10), 'pos': coalesce(pos, 'same'), 'min_frequency': min_frequency}, weights,
            @neighbour_options@, _store.phi(phi, weights),
            _store.ranking_of(coalesce(among, 'lexemes'), context, measure, weights)
        )
    ),
    _reduced AS MATERIALIZED (
        FROM _store.space_question_vectors('_question', 'phrases', space, subcorpus, @composing@)
    ),
    _best_in_space AS NOT MATERIALIZED (
        FROM _store.best_in_space('_question', '_reduced', top, pos, min_frequency, coalesce(among, 'lexemes'), space)
    ),
    -- A row: a candidate, as a question.
    _filler AS MATERIALIZED (
        SELECT row_number() OVER () + 1 AS question, unnest(_store.about_lexeme(named.lexeme, 0))
        FROM (SELECT DISTINCT unnest(@candidates@) AS lexeme) AS named
    ),
    _compared_in_space AS NOT MATERIALIZED (
        FROM _store.fillers_in_space('_filler', '_reduced', space, @composition_of_candidate@)
    ),
    _compared AS NOT MATERIALIZED (
        FROM _store.compared_fillers(
            '_filler', '_of_rest', weights, @composition_of_candidate@, @neighbour_options@,
            _store.phi(phi, weights), _store.measure(measure, weights)
        )
    )
    SELECT filler.lexeme, filler.similarity
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('plausible', row(phrase, @given_to_plausible@)) AS _constants
    CROSS JOIN query_table(
        CASE WHEN candidates IS NULL THEN '_best' ELSE '_compared' END
        || CASE WHEN space IS NULL THEN '' ELSE '_in_space' END
    ) AS filler
    WHERE _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_space(space, @space_given_of_plausible@)
        AND _store.check_neighbours(
            '_question', coalesce(top, 10), coalesce(pos, 'same'), min_frequency, coalesce(among, 'lexemes'),
            _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        ))
    ORDER BY filler.place ASC
);
