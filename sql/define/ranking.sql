-- The fewest tokens a neighbour must have where nothing is said: one per 25,000 tokens of the lexicon, at least 1, at
-- most 50.
CREATE OR REPLACE MACRO _store.default_min_frequency() AS (
    SELECT greatest(1, least(50, coalesce(sum(corpus.tokens), 0) // 25000)) FROM _store.corpus
);

-- A row: a part of speech of the lexicon, with a number for it.
CREATE OR REPLACE VIEW _store.kind AS
SELECT part_of_speech, row_number() OVER (ORDER BY part_of_speech) AS number
FROM (SELECT DISTINCT lexeme.pos AS part_of_speech FROM _store.lexeme);

-- A row: a lexeme with its part of speech, and that as a number.
CREATE OR REPLACE VIEW _store.lexeme_kind AS
SELECT lexeme.id AS lexeme_id, lexeme.text, lexeme.frequency, kind.part_of_speech, kind.number AS kind
FROM _store.lexeme
JOIN _store.kind ON kind.part_of_speech IS NOT DISTINCT FROM lexeme.pos;

-- A row: an entry that is stored under the weights asked for, as _store.lexeme_kind has lexemes. Its part of speech is that
-- of the word it is anchored at.
CREATE OR REPLACE MACRO _store.entry_kind(weights, options) AS TABLE (
    SELECT -entry.id AS lexeme_id, entry.name AS text, 0 AS frequency, entry.pos AS part_of_speech,
        coalesce(kind.number, 0) AS kind
    FROM _store.entry
    ANTI JOIN _store.lexeme ON lexeme.text = entry.name
    LEFT JOIN _store.kind ON kind.part_of_speech IS NOT DISTINCT FROM entry.pos
    WHERE entry.weighing = _store.weighing(weights, options)
);

-- A row: a question with the lexeme or entry that is not its own neighbour (NULL for a phrase), and the part of speech of the
-- word that it is anchored at, as a number: by its text, so that a word that the lexicon lacks has one too.
CREATE OR REPLACE MACRO _store.asked_kind(questions) AS TABLE (
    SELECT asked.question, CASE WHEN asked.name IS NOT NULL THEN known.id END AS itself, kind.number AS kind
    FROM query_table(questions) AS asked
    LEFT JOIN _store.names() AS known ON known.text = asked.anchored
    LEFT JOIN _store.kind
        ON kind.part_of_speech IS NOT DISTINCT FROM
            CASE WHEN known.id IS NULL THEN _store.pos_of(asked.anchored) ELSE known.part_of_speech END
);

-- Whether neighbours are found in the weights that are kept: they are, with their sizes under the weighting's own phi and over
-- all nodes.
CREATE OR REPLACE MACRO _store.is_served(weights, phi, nodes) AS
    _store.kept(weights) IS NOT NULL AND phi = _store.phi(NULL, weights) AND nodes = 'all';

-- A row: a lexeme or entry near one of the questions named (question, itself, kind), by its id, and its similarity, with its
-- place among them (all places where top is NULL). vectors names those of the questions. many: whether there are several
-- questions, and it pays to narrow the lexemes down before they are compared. A lexeme that shares no feature, or more against
-- a question than for it, is no neighbour.
CREATE OR REPLACE MACRO _store.nearest(
    asked, vectors, many, top, tag, fewest, among, weights, options, phi, nodes, measure
) AS TABLE (
    WITH _kind AS MATERIALIZED (
        FROM query_table(asked)
    ),
    -- A row: what may be a neighbour, of lexemes, entries, or both.
    _lexeme AS NOT MATERIALIZED (
        SELECT lexeme_id, text, frequency, part_of_speech, kind
        FROM _store.lexeme_kind
        WHERE frequency >= coalesce(fewest, _store.default_min_frequency())
    ),
    _entry AS NOT MATERIALIZED (
        FROM _store.entry_kind(weights, options)
    ),
    _all AS NOT MATERIALIZED (
        FROM _lexeme UNION ALL FROM _entry
    ),
    -- A row: a lexeme or entry that may be a neighbour.
    _candidate AS MATERIALIZED (
        SELECT word.lexeme_id, word.text, word.frequency, word.kind
        FROM query_table(
            CASE
                WHEN among = 'lexemes' OR _store.entries() = 0 THEN '_lexeme'
                WHEN among = 'entries' THEN '_entry'
                ELSE '_all'
            END
        ) AS word
        WHERE (among <> 'entries' OR word.lexeme_id < 0) AND CASE tag
            WHEN 'any' THEN true
            WHEN 'same' THEN word.kind IN (SELECT kind FROM _kind)
            ELSE word.part_of_speech = tag
        END
    ),
    -- A row: one dimension of one candidate, computed for them or kept for all lexemes. (What is not read is not planned.)
    _computed AS MATERIALIZED (
        FROM _store.lexeme_vectors('_candidate', weights, options, phi, nodes)
    ),
    _kept AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, feature_id, weight FROM _store.kept_weight WHERE weighting_id = _store.kept(weights)
    ),
    _kept_dimension AS NOT MATERIALIZED (
        SELECT lexeme_id, feature_id, value FROM _store.dimensions('_kept', phi) WHERE value <> 0
    ),
    _stored AS MATERIALIZED (
        FROM _store.stored_weights('_candidate')
    ),
    _stored_dimension AS MATERIALIZED (
        SELECT lexeme_id, feature_id, value FROM _store.dimensions('_stored', phi) WHERE value <> 0
    ),
    _kept_and_stored_dimension AS NOT MATERIALIZED (
        FROM _kept_dimension UNION ALL FROM _stored_dimension
    ),
    _dimension_of_any AS NOT MATERIALIZED (
        SELECT lexeme_id, 0 AS kind, feature_id, value
        FROM query_table(
            CASE
                WHEN NOT _store.is_served(weights, phi, nodes) THEN '_computed'
                WHEN among = 'lexemes' OR _store.entries() = 0 THEN '_kept_dimension'
                ELSE '_kept_and_stored_dimension'
            END
        )
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
    _kept_and_stored_size AS NOT MATERIALIZED (
        FROM _kept_size
        UNION ALL
        SELECT lexeme_id, sum(value), sum(value * value), min(value) FROM _stored_dimension GROUP BY lexeme_id
    ),
    _size AS MATERIALIZED (
        FROM query_table(
            CASE
                WHEN NOT _store.is_served(weights, phi, nodes) THEN '_computed_size'
                WHEN among = 'lexemes' OR _store.entries() = 0 THEN '_kept_size'
                ELSE '_kept_and_stored_size'
            END
        )
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
        SELECT _near.question, _near.lexeme_id, _candidate.text, _near.similarity, row_number() OVER (
            PARTITION BY _near.question
            -- Sums of floating-point numbers differ in their last digits from run to run; ties are those of the first
            -- twelve.
            ORDER BY round(_near.similarity, 12) DESC, _candidate.frequency DESC, _candidate.text
        ) AS place
        FROM _near
        JOIN _candidate ON _candidate.lexeme_id = _near.lexeme_id
        WHERE _near.similarity > 0
    )
    SELECT question, place, lexeme_id, text, similarity
    FROM _ranked
    WHERE (top IS NULL OR place <= top)
        AND (SELECT _store.check_sign(measure, lowest.least) FROM (
            SELECT min(least) AS least FROM (SELECT least FROM _size UNION ALL SELECT least FROM _asked)
        ) AS lowest)
);
