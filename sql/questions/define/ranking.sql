-- Neighbours of questions: the candidates' dimensions and sizes, what they share with the questions, and their ranks.

-- Where the weights of candidates come from: 'computed' for them; 'kept', with their sizes, for a weighting under its
-- own phi and over all nodes; 'kept and stored' where entries are among them, whose weights are stored.
CREATE OR REPLACE MACRO _store.origin(weights, @own_options@, phi, how) AS
    CASE
        WHEN NOT _store.is_kept(weights, _store.scheme(weights), @own_options@) OR phi <> _store.phi(NULL, weights)
            OR how['nodes'] <> 'all' THEN 'computed'
        WHEN how['among'] = 'lexemes' OR _store.entries() = 0 THEN 'kept'
        ELSE 'kept and stored'
    END;

-- A row: one dimension, not 0, of a stored entry among the candidates named.
CREATE OR REPLACE MACRO _store.stored_dimension(candidates, weights, @own_options@, phi) AS TABLE (
    WITH _stored AS MATERIALIZED (FROM _store.stored_weights(candidates, weights, _store.scheme(weights)))
    SELECT lexeme_id, feature_id, value
    FROM _store.dimensions('_stored', phi, @held_subcorpus@, @held_counts@)
    WHERE value <> 0
);

-- A row: one dimension of a candidate or, of kept weights, of any lexeme. many: whether there are several questions,
-- and it pays to narrow the lexemes down to the candidates before they are compared. (What is not read is not planned.)
CREATE OR REPLACE MACRO _store.candidate_dimension(
    candidates, computed, stored, origin, many, weights, @own_options@, phi
) AS TABLE (
    WITH _kept AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, NULL::VARCHAR AS path_text, feature_id, weight
        FROM _store.kept_weights(_store.kept(weights), _store.needs_no_paths(phi, 'all'))
    ),
    _kept_dimension AS NOT MATERIALIZED (
        SELECT lexeme_id, feature_id, value
        FROM _store.dimensions('_kept', phi, @held_subcorpus@, @held_counts@)
        WHERE value <> 0
    ),
    _kept_and_stored AS NOT MATERIALIZED (FROM _kept_dimension UNION ALL FROM query_table(stored)),
    _of_any AS NOT MATERIALIZED (
        SELECT lexeme_id, 0 AS pos_id, feature_id, value
        FROM query_table(
            CASE origin WHEN 'computed' THEN computed WHEN 'kept' THEN '_kept_dimension' ELSE '_kept_and_stored' END
        )
    ),
    -- One row: the parts of speech of the candidates, as a list by their ids. (A join would be put off until all pairs
    -- that share a feature are there, most of them of different parts of speech.)
    _list AS NOT MATERIALIZED (
        SELECT min(every.lexeme_id) AS least_id, list(candidate.pos_id ORDER BY every.lexeme_id) AS pos_ids
        FROM (
            SELECT unnest(range(min(lexeme_id), max(lexeme_id) + 1)) AS lexeme_id FROM query_table(candidates)
        ) AS every
        LEFT JOIN query_table(candidates) AS candidate ON candidate.lexeme_id = every.lexeme_id
    ),
    _with_pos AS NOT MATERIALIZED (
        SELECT near.lexeme_id, list_extract(_list.pos_ids, near.lexeme_id - _list.least_id + 1) AS pos_id,
            near.feature_id, near.value
        FROM _of_any AS near
        CROSS JOIN _list
        WHERE near.lexeme_id >= _list.least_id
    ),
    _of_candidate AS NOT MATERIALIZED (FROM _with_pos WHERE pos_id IS NOT NULL)
    FROM query_table(CASE WHEN many THEN '_of_candidate' ELSE '_of_any' END)
);

-- A row: a candidate and what measures divide by.
CREATE OR REPLACE MACRO _store.candidate_size(candidates, computed, stored, origin, weights) AS TABLE (
    WITH _computed_size AS NOT MATERIALIZED (
        SELECT lexeme_id, fsum(value) AS total, fsum(value * value) AS square, min(value) AS least
        FROM query_table(computed)
        GROUP BY lexeme_id
    ),
    _kept_size AS NOT MATERIALIZED (
        SELECT lexeme_id, total, square, least
        FROM _store.kept_size
        WHERE weighting_id = _store.kept(weights) AND lexeme_id IN (
            SELECT candidate.lexeme_id FROM query_table(candidates) AS candidate
        )
    ),
    _kept_and_stored AS NOT MATERIALIZED (
        FROM _kept_size
        UNION ALL
        SELECT lexeme_id, fsum(value), fsum(value * value), min(value) FROM query_table(stored) GROUP BY lexeme_id
    )
    FROM query_table(
        CASE origin WHEN 'computed' THEN '_computed_size' WHEN 'kept' THEN '_kept_size' ELSE '_kept_and_stored' END
    )
);

-- One row: what is known of the questions, each a list by their numbers. (A join by these, with one question and most
-- lexemes near it, would be one key that all rows have.)
CREATE OR REPLACE MACRO _store.asked_lists(asked, vectors) AS TABLE (
    SELECT list(one.pos_id ORDER BY one.question ASC) AS pos_id, list(one.itself ORDER BY one.question ASC) AS itself,
        list(size.total ORDER BY one.question ASC) AS total, list(size.square ORDER BY one.question ASC) AS square,
        min(size.least) AS least
    FROM query_table(asked) AS one
    LEFT JOIN _store.sizes(vectors) AS size ON size.question = one.question
);

-- A row: a question and a candidate, and how alike they are; those that share a feature or, where the measure does not
-- need one, all.
CREATE OR REPLACE MACRO _store.near(
    lists, asked_dimensions, dimensions, sizes, candidates, many, tag, measure
) AS TABLE (
    -- A row: a dimension that a question and a candidate have in common.
    WITH _common AS NOT MATERIALIZED (
        SELECT asked.question, near.lexeme_id, asked.value AS asked_value, near.value, asked.total AS asked_total
        FROM query_table(dimensions) AS near
        JOIN query_table(asked_dimensions) AS asked
            ON asked.feature_id = near.feature_id
            AND CASE WHEN many AND tag = 'same' THEN asked.pos_id = near.pos_id ELSE true END
    ),
    _part AS NOT MATERIALIZED (
        SELECT question, lexeme_id, _store.shared(measure, asked_value, value, asked_total, NULL) AS part FROM _common
    ),
    _scaled_part AS NOT MATERIALIZED (
        SELECT common.question, common.lexeme_id, _store.shared(
            measure, common.asked_value, common.value, common.asked_total, scaled.total
        ) AS part
        FROM _common AS common
        JOIN query_table(sizes) AS scaled ON scaled.lexeme_id = common.lexeme_id
    ),
    _shared AS (
        SELECT question, lexeme_id, fsum(part) AS shared
        FROM query_table(CASE WHEN measure = 'jensen_shannon' THEN '_scaled_part' ELSE '_part' END)
        GROUP BY question, lexeme_id
    ),
    -- A row: the same for all candidates, 0 for those that share nothing, which are alike by euclidean alone.
    _shared_by_any AS NOT MATERIALIZED (
        SELECT asked.question, candidate.lexeme_id, coalesce(_shared.shared, 0) AS shared
        FROM (SELECT DISTINCT question, pos_id FROM query_table(asked_dimensions)) AS asked
        JOIN query_table(candidates) AS candidate
            ON CASE WHEN many AND tag = 'same' THEN asked.pos_id = candidate.pos_id ELSE true END
        LEFT JOIN _shared ON _shared.question = asked.question AND _shared.lexeme_id = candidate.lexeme_id
    )
    SELECT pair.question, pair.lexeme_id, _store.measured(
        measure, pair.shared, asked.total[pair.question], asked.square[pair.question], size.total, size.square
    ) AS similarity
    FROM query_table(CASE WHEN measure = 'euclidean' THEN '_shared_by_any' ELSE '_shared' END) AS pair
    JOIN query_table(sizes) AS size ON size.lexeme_id = pair.lexeme_id
    CROSS JOIN query_table(lists) AS asked
    WHERE pair.lexeme_id IS DISTINCT FROM asked.itself[pair.question]
);

-- A row: the same by a measure that compares the ranks of features.
CREATE OR REPLACE MACRO _store.near_by_rank(
    lists, asked_dimensions, dimensions, sizes, candidates, many, tag, measure
) AS TABLE (
    WITH _asked_rank AS MATERIALIZED (
        SELECT ranked.*, asked.pos_id[ranked.question] AS pos_id
        FROM _store.ranked_dimension(asked_dimensions) AS ranked
        CROSS JOIN query_table(lists) AS asked
    ),
    _of_candidate AS NOT MATERIALIZED (
        SELECT own.lexeme_id AS question, own.feature_id, own.value
        FROM query_table(dimensions) AS own
        JOIN query_table(candidates) AS candidate ON candidate.lexeme_id = own.lexeme_id
    ),
    _near_rank AS MATERIALIZED (FROM _store.ranked_dimension('_of_candidate')),
    _feature_of_both AS NOT MATERIALIZED (
        SELECT one.question AS a, other.question AS b, one.value AS value_a, other.value AS value_b,
            one.rank AS rank_a, other.rank AS rank_b, one.features AS features_a, other.features AS features_b
        FROM _near_rank AS other
        JOIN _asked_rank AS one ON one.feature_id = other.feature_id
        JOIN query_table(candidates) AS candidate ON candidate.lexeme_id = other.question
        WHERE CASE WHEN many AND tag = 'same' THEN one.pos_id = candidate.pos_id ELSE true END
    )
    SELECT pair.a AS question, pair.b AS lexeme_id, _store.measured_by_rank(
        measure, pair.shared, pair.apinc, asked.total[pair.a], size.total
    ) AS similarity
    FROM _store.inclusion('_feature_of_both', measure) AS pair
    JOIN query_table(sizes) AS size ON size.lexeme_id = pair.b
    CROSS JOIN query_table(lists) AS asked
    WHERE pair.b IS DISTINCT FROM asked.itself[pair.a]
);

-- A row: a lexeme or entry near one of the questions named (question, itself, pos_id), by its id, and its similarity,
-- with its rank among them (all where top is NULL). vectors names those of the questions. many: whether there are
-- several. shown: top, pos and min_frequency. how: what decides what is planned, among, nodes and measure. A lexeme
-- that shares no feature, or more against a question than for it, is no neighbour.
CREATE OR REPLACE MACRO _store.ranked(asked, vectors, many, shown, weights, @own_options@, phi, how) AS TABLE (
    WITH _candidate AS MATERIALIZED (
        FROM _store.candidate(asked, shown['pos'], shown['min_frequency'], how['among'], weights, @own_options@)
    ),
    _computed AS MATERIALIZED (FROM _store.lexeme_vectors('_candidate', weights, @own_options@, phi, how['nodes'])),
    _stored_dimension AS MATERIALIZED (FROM _store.stored_dimension('_candidate', weights, @own_options@, phi)),
    _dimension AS NOT MATERIALIZED (
        FROM _store.candidate_dimension(
            '_candidate', '_computed', '_stored_dimension', _store.origin(weights, @own_options@, phi, how), many,
            weights, @own_options@, phi
        )
    ),
    _size AS MATERIALIZED (
        FROM _store.candidate_size(
            '_candidate', '_computed', '_stored_dimension', _store.origin(weights, @own_options@, phi, how), weights
        )
    ),
    _asked_list AS MATERIALIZED (FROM _store.asked_lists(asked, vectors)),
    -- A row: a dimension of a question. Its own total, as a candidate's, is of use to jensen_shannon alone.
    _asked_dimension AS MATERIALIZED (
        SELECT vector.question, vector.feature_id, vector.value, known.total[vector.question] AS total,
            known.pos_id[vector.question] AS pos_id
        FROM query_table(vectors) AS vector
        CROSS JOIN _asked_list AS known
    ),
    _near AS NOT MATERIALIZED (
        FROM _store.near(
            '_asked_list', '_asked_dimension', '_dimension', '_size', '_candidate', many, shown['pos'], how['measure']
        )
    ),
    _near_by_rank AS NOT MATERIALIZED (
        FROM _store.near_by_rank(
            '_asked_list', '_asked_dimension', '_dimension', '_size', '_candidate', many, shown['pos'], how['measure']
        )
    ),
    _ranked AS (
        SELECT near.question, near.lexeme_id, _candidate.text, near.similarity, row_number() OVER (
            PARTITION BY near.question
            -- Sums of floating-point numbers differ in their last digits from run to run; ties are those of the first
            -- twelve.
            ORDER BY round(near.similarity, 12) DESC, _candidate.frequency DESC, _candidate.text ASC
        ) AS rank
        FROM query_table(CASE WHEN _store.needs_ranks(how['measure']) THEN '_near_by_rank' ELSE '_near' END) AS near
        JOIN _candidate ON _candidate.lexeme_id = near.lexeme_id
        WHERE near.similarity > 0
    )
    SELECT question, rank, lexeme_id, text, similarity
    FROM _ranked
    WHERE (shown['top'] IS NULL OR rank <= shown['top'])
        AND (SELECT _store.check_sign(how['measure'], lowest.least) FROM (
            SELECT min(least) AS least FROM (SELECT least FROM _size UNION ALL SELECT least FROM _asked_list)
        ) AS lowest)
);
