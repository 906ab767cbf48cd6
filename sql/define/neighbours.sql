-- The fewest tokens a neighbour must have where nothing is said: one per 25,000 tokens of the lexicon, at least 1, at
-- most 50.
CREATE OR REPLACE MACRO _store.default_min_frequency() AS (
    SELECT greatest(1, least(50, coalesce(sum(corpus.tokens), 0) // 25000)) FROM _store.corpus
);

-- True where the neighbours asked for can be told; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_neighbours(questions, anchor, top, tag, fewest, measure) AS
    CASE
        WHEN NOT _store.check_measure(measure) THEN false
        WHEN NOT _store.check_questions(questions, anchor) THEN false
        WHEN tag IS NULL THEN error('pos is NULL; it is same, any or a tag')
        WHEN coalesce(top < 0, true) THEN error('top is ' || coalesce(top::VARCHAR, 'NULL') || '; it is 0 or more')
        WHEN fewest < 0 THEN error('min_frequency is ' || fewest || '; it is 0 or more')
        WHEN tag = 'same' AND (
            SELECT bool_or(asked.name IS NULL AND asked.word IS NULL)
            FROM (SELECT name, _store.anchored_word(words, anchor) AS word FROM query_table(questions)) AS asked
        ) THEN error(
            'no word of the phrase is its root (delta ''''), so pos cannot be the same; name a tag, or any'
        )
        ELSE true
    END;

-- A row: a part of speech of the lexicon, with a number for it.
CREATE OR REPLACE VIEW _store.kind AS
SELECT part_of_speech, row_number() OVER (ORDER BY part_of_speech) AS number
FROM (SELECT DISTINCT lexeme.pos AS part_of_speech FROM _store.lexeme);

-- A row: a lexeme with its part of speech, and that as a number.
CREATE OR REPLACE VIEW _store.lexeme_kind AS
SELECT lexeme.id AS lexeme_id, lexeme.text, lexeme.frequency, kind.part_of_speech, kind.number AS kind
FROM _store.lexeme
JOIN _store.kind ON kind.part_of_speech IS NOT DISTINCT FROM lexeme.pos;

-- A row: a question with the lexeme that is not its own neighbour (NULL for a phrase), and the part of speech of the word
-- that it is anchored at, as a number.
CREATE OR REPLACE MACRO _store.asked_kind(questions, anchor) AS TABLE (
    SELECT asked.question, CASE WHEN asked.name IS NOT NULL THEN word.lexeme_id END AS itself, word.kind
    FROM query_table(questions) AS asked
    LEFT JOIN _store.lexeme_kind AS word
        ON word.text = _store.anchored_word(asked.words, CASE WHEN asked.name IS NULL THEN anchor ELSE 0 END).lexeme
);

-- Whether neighbours are found in the weights that are kept: they are, with their sizes under the weighting's own phi.
CREATE OR REPLACE MACRO _store.is_served(weights, phi) AS
    _store.kept(weights) IS NOT NULL AND phi = _store.phi(NULL, weights);

-- A row: a lexeme near one of the questions named, and its similarity, with its place among them. vectors names those of the
-- questions. many: whether there are several questions, and it pays to narrow the lexemes down before they are
-- compared. A lexeme that shares no feature, or more against a question than for it, is no neighbour.
CREATE OR REPLACE MACRO _store.nearest(
    questions, vectors, many, anchor, top, tag, fewest, weights, options, phi, measure
) AS TABLE (
    WITH _kind AS MATERIALIZED (
        FROM _store.asked_kind(questions, anchor)
    ),
    -- A row: a lexeme that may be a neighbour.
    _candidate AS MATERIALIZED (
        SELECT word.lexeme_id, word.kind
        FROM _store.lexeme_kind AS word
        WHERE word.frequency >= coalesce(fewest, _store.default_min_frequency())
            AND CASE tag
                WHEN 'any' THEN true
                WHEN 'same' THEN word.kind IN (SELECT kind FROM _kind)
                ELSE word.part_of_speech = tag
            END
    ),
    -- A row: one dimension of one lexeme, computed for the candidates or kept for all. (What is not read is not planned.)
    _computed AS MATERIALIZED (
        FROM _store.lexeme_vectors('_candidate', weights, options, phi)
    ),
    _kept AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, feature_id, weight FROM _store.kept_weight WHERE weighting_id = _store.kept(weights)
    ),
    _kept_dimension AS NOT MATERIALIZED (
        FROM _store.dimensions('_kept', phi) WHERE value <> 0
    ),
    _dimension_of_any AS NOT MATERIALIZED (
        SELECT lexeme_id, 0 AS kind, feature_id, value
        FROM query_table(CASE WHEN _store.is_served(weights, phi) THEN '_kept_dimension' ELSE '_computed' END)
    ),
    _dimension_of_candidate AS NOT MATERIALIZED (
        SELECT _candidate.lexeme_id, _candidate.kind, near.feature_id, near.value
        FROM _dimension_of_any AS near
        JOIN _candidate ON _candidate.lexeme_id = near.lexeme_id
    ),
    -- A row: a candidate and what measures divide by.
    _computed_size AS NOT MATERIALIZED (
        SELECT lexeme_id, sum(value) AS total, sum(value * value) AS square, min(value) AS least
        FROM _computed
        GROUP BY lexeme_id
    ),
    _kept_size AS NOT MATERIALIZED (
        SELECT lexeme_id, total, square, least
        FROM _store.kept_size
        WHERE weighting_id = _store.kept(weights) AND lexeme_id IN (SELECT lexeme_id FROM _candidate)
    ),
    _size AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.is_served(weights, phi) THEN '_kept_size' ELSE '_computed_size' END)
    ),
    -- One row: what is known of the questions, each a list by their numbers. (A join by these, with one question and most
    -- lexemes near it, would be one key that all rows have.)
    _asked AS MATERIALIZED (
        SELECT list(_kind.kind ORDER BY _kind.question) AS kind, list(_kind.itself ORDER BY _kind.question) AS itself,
            list(size.total ORDER BY _kind.question) AS total, list(size.square ORDER BY _kind.question) AS square,
            min(size.least) AS least
        FROM _kind
        LEFT JOIN _store.sizes(vectors) AS size ON size.question = _kind.question
    ),
    -- A row: a dimension of a question. Its own total, as a candidate's, is of use to jensen_shannon alone.
    _asked_dimension AS MATERIALIZED (
        SELECT vector.question, vector.feature_id, vector.value, _asked.total[vector.question] AS total,
            _asked.kind[vector.question] AS kind
        FROM query_table(vectors) AS vector
        CROSS JOIN _asked
    ),
    _part AS NOT MATERIALIZED (
        SELECT asked.question, near.lexeme_id,
            _store.shared(measure, asked.value, near.value, asked.total, scaled.total) AS part
        FROM query_table(CASE WHEN many THEN '_dimension_of_candidate' ELSE '_dimension_of_any' END) AS near
        JOIN _asked_dimension AS asked
            ON asked.feature_id = near.feature_id
            AND CASE WHEN many AND tag = 'same' THEN asked.kind = near.kind ELSE true END
        LEFT JOIN (FROM _size WHERE measure = 'jensen_shannon') AS scaled ON scaled.lexeme_id = near.lexeme_id
    ),
    _shared AS (
        SELECT question, lexeme_id, sum(part) AS shared
        FROM _part
        GROUP BY question, lexeme_id
    ),
    _near AS (
        SELECT _shared.question, _shared.lexeme_id, _store.measured(
            measure, _shared.shared, _asked.total[_shared.question], _asked.square[_shared.question], _size.total,
            _size.square
        ) AS similarity
        FROM _shared
        JOIN _size ON _size.lexeme_id = _shared.lexeme_id
        CROSS JOIN _asked
        WHERE _shared.lexeme_id IS DISTINCT FROM _asked.itself[_shared.question]
    ),
    _ranked AS (
        SELECT _near.question, lexeme.text AS lexeme, _near.similarity, row_number() OVER (
            PARTITION BY _near.question
            -- Sums of floating-point numbers differ in their last digits from run to run; ties are those of the first
            -- twelve.
            ORDER BY round(_near.similarity, 12) DESC, lexeme.frequency DESC, lexeme.text
        ) AS place
        FROM _near
        JOIN _store.lexeme ON lexeme.id = _near.lexeme_id
        WHERE _near.similarity > 0
    )
    SELECT question, place, lexeme, _store.settled(similarity) AS similarity
    FROM _ranked
    WHERE place <= coalesce(top, 1)
        AND (SELECT _store.check_neighbours(questions, anchor, top, tag, fewest, measure))
        AND (SELECT _store.check_sign(measure, lowest.least) FROM (
            SELECT min(least) AS least FROM (SELECT least FROM _size UNION ALL SELECT least FROM _asked)
        ) AS lowest)
);

-- A row: one of the nearest lexemes to a lexeme or phrase, and its similarity, best first; ties by frequency, then text.
CREATE OR REPLACE MACRO neighbours(
    x VARCHAR, top := 10, pos := 'same', min_frequency := NULL, measure := 'cosine', phi := NULL,
    @weighting@, @composition@
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_lexeme(x)
    ),
    _vector AS MATERIALIZED (
        FROM _store.lexeme_question_vectors(
            '_question', weights, merge, pipeline, aligned, anchor, @neighbour_options@,
            _store.phi(phi, weights)
        )
    )
    SELECT lexeme, similarity
    FROM _store.nearest(
        '_question', '_vector', false, anchor, top, pos, min_frequency, weights, @neighbour_options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @neighbour_admitted@)
    ORDER BY place
), (
    x STRUCT(lexeme VARCHAR, delta VARCHAR)[], top := 10, pos := 'same', min_frequency := NULL, measure := 'cosine',
    phi := NULL, @weighting@, @composition@
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.only_phrase(x)
    ),
    _vector AS MATERIALIZED (
        FROM _store.phrase_question_vectors(
            '_question', weights, merge, pipeline, aligned, anchor, @neighbour_options@,
            _store.phi(phi, weights)
        )
    )
    SELECT lexeme, similarity
    FROM _store.nearest(
        '_question', '_vector', false, anchor, top, pos, min_frequency, weights, @neighbour_options@,
        _store.phi(phi, weights), measure
    )
    WHERE (SELECT @neighbour_admitted@)
    ORDER BY place
);

-- A row: one of the nearest lexemes to one of the questions of a relation (its name; columns as _store.asked_in has them), in
-- the order of the questions, each with its nearest first. All are answered at once.
CREATE OR REPLACE MACRO neighbours_each(
    questions, top := 10, pos := 'same', min_frequency := NULL, measure := 'cosine', phi := NULL,
    @weighting@, @composition@
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.asked_in(questions)
    ),
    _vector AS MATERIALIZED (
        FROM _store.question_vectors(
            '_question', weights, merge, pipeline, aligned, anchor, @neighbour_options@,
            _store.phi(phi, weights)
        )
    )
    SELECT _question.called AS question, near.lexeme, near.similarity
    FROM _store.nearest(
        '_question', '_vector', true, anchor, top, pos, min_frequency, weights, @neighbour_options@,
        _store.phi(phi, weights), measure
    ) AS near
    JOIN _question ON _question.question = near.question
    WHERE (SELECT @neighbour_admitted@)
    ORDER BY near.question, near.place
);
