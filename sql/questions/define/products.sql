-- Vectors from which products of matrices find neighbours, with the places of lexemes (aptdb/questions/products.py).

-- A row: a lexeme that occurs often enough to be a neighbour, with its place among those: the more frequent first, then
-- by text.
CREATE OR REPLACE MACRO _store.candidate_place(fewest, subcorpus) AS TABLE (
    SELECT lexeme_id, text, part_of_speech, pos_id, (
            row_number() OVER (ORDER BY frequency DESC, text ASC) - 1
        )::INTEGER AS place
    FROM _store.lexeme_pos(subcorpus)
    WHERE frequency >= coalesce(fewest, _store.default_min_frequency(subcorpus))
);

-- A row: a dimension of the vector of one of these lexemes, from a first place to a last, as a matrix has it.
CREATE OR REPLACE MACRO _store.placed_dimension(first_place, last_place, @parameters_of_neighbours_each@) AS TABLE (
    WITH _placed AS MATERIALIZED (
        SELECT place, lexeme_id
        FROM _store.candidate_place(min_frequency, _store.subcorpus(weights, subcorpus))
        WHERE place BETWEEN first_place AND last_place
    ),
    -- A row: the most frequent of all, as a question whose parameters are checked.
    _first_lexeme AS (
        SELECT text AS lexeme
        FROM _store.lexeme_in(_store.subcorpus(weights, subcorpus))
        ORDER BY frequency DESC, text ASC
        LIMIT 1
    ),
    _question AS MATERIALIZED (FROM _store.asked_in('_first_lexeme', anchor))
    SELECT _placed.place - first_place::INTEGER AS row, vector.feature_id::INTEGER AS feature, vector.value
    FROM _store.lexeme_vectors(
        '_placed', weights, @neighbour_options@, _store.phi(phi, weights), _store.context(context, weights)
    ) AS vector
    JOIN _placed ON _placed.lexeme_id = vector.lexeme_id
    WHERE _store.admitted('@stamp@', @neighbour_admitted@
        AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        )
        AND _store.check_asked('_question', weights, @composing@, @neighbour_options@)
        AND _store.check_phi_of('_question', _store.phi(phi, weights)))
);

-- A row: a lexeme of a space that may be a neighbour, with its vector, and its place among those: the more frequent
-- first, then by text.
CREATE OR REPLACE MACRO _store.candidate_place_in_space(tag, fewest, space) AS TABLE (
    SELECT lexeme_id, text, part_of_speech, vector, (
            row_number() OVER (ORDER BY frequency DESC, text ASC) - 1
        )::INTEGER AS place
    FROM _store.candidate_in_space(tag, fewest, 'lexemes', space)
);

-- A row: one of these lexemes, from a first place to a last, that may have neighbours in a space, with its place as
-- _store.candidate_place has it, its part of speech, and its vector.
CREATE OR REPLACE MACRO _store.placed_vector(first_place, last_place, @parameters_of_neighbours_each@) AS TABLE (
    WITH _between AS MATERIALIZED (
        SELECT placed.place, placed.lexeme_id, placed.text AS lexeme, placed.part_of_speech
        FROM _store.candidate_place(min_frequency, _store.subcorpus(weights, subcorpus)) AS placed
        WHERE placed.place BETWEEN first_place AND last_place AND (
            pos <> 'same'
            OR placed.part_of_speech IN (
                SELECT near.part_of_speech FROM _store.candidate_in_space(pos, min_frequency, among, space) AS near
            )
        )
    ),
    _question AS MATERIALIZED (FROM _store.asked_in('_between', anchor))
    SELECT _between.place, _between.lexeme_id, _between.part_of_speech, reduced.vector
    FROM _store.space_question_vectors('_question', 'lexemes', space, subcorpus, @composing@) AS reduced
    JOIN _question ON _question.question = reduced.question
    JOIN _between ON _between.lexeme = _question.called
    WHERE _store.admitted('@stamp@', @neighbour_admitted@
        AND _store.check_space(space, @space_given_of_neighbours_each@)
        AND _store.check_known_space(space) AND _store.check_neighbours_in_space(space, pos, min_frequency)
        AND _store.check_neighbours(
            '_question', top, pos, min_frequency, among, _store.measure(measure, weights),
            _store.subcorpus(weights, subcorpus)
        ))
);
