-- Reduced spaces: a vector has a few dimensions, which a singular value decomposition leaves of all features. A feature
-- has a projection, which says what one unit of its weight adds to each dimension. Where a space has a window, the
-- first dimensions (tree_dimensions) are of features along paths, and the others of what stands near a word, whatever
-- the grammar: features along the path ~, whose id is 0.

-- A row: a reduced space: how it was made, how many lexemes and features were decomposed, and how many lexemes have a
-- vector, from least_frequency tokens on. state: kept; or stale after the lexicon has changed, until it is made again.
-- window_tokens: how near words are that were joined to those along paths, 0 for none; window_share: how much these
-- count.
-- Columns: space VARCHAR, dimensions INTEGER, shift DOUBLE, power DOUBLE, max_order INTEGER, min_frequency BIGINT,
-- min_feature_count BIGINT, pos VARCHAR, seed BIGINT, state VARCHAR, lexemes BIGINT, features BIGINT, vectors BIGINT,
-- least_frequency BIGINT, window_tokens INTEGER, window_share DOUBLE, reduced_at TIMESTAMP
-- Example: SELECT count(*) AS spaces FROM spaces
CREATE OR REPLACE VIEW spaces AS
SELECT name AS space, dimensions, shift, power, max_order, min_frequency, min_feature_count, pos, seed, state, lexemes,
    features, vectors, least_frequency, window_tokens, window_share, reduced_at
FROM _store.reduced_space
ORDER BY name ASC;

-- A row: a lexeme that has a vector in a reduced space, and that vector, of length 1. state: that of the space; where
-- it is stale, vectors are as they were.
-- Columns: space VARCHAR, lexeme VARCHAR, vector FLOAT[], state VARCHAR
-- Example: SELECT space, count(*) AS vectors FROM space_vectors GROUP BY space
CREATE OR REPLACE VIEW space_vectors AS
SELECT space.name AS space, lexeme.text AS lexeme, stored.vector, space.state
FROM _store.space_vector AS stored
JOIN _store.reduced_space AS space ON space.id = stored.space_id
JOIN _store.lexeme ON lexeme.id = stored.lexeme_id;

-- True where there is a space of a name that is not stale, or stale ones are allowed; otherwise an error.
CREATE OR REPLACE MACRO _store.check_known_space(space) AS (
    SELECT CASE
        WHEN _store.space_id(space) IS NULL THEN false
        WHEN bool_or(known.state = 'stale') AND NOT _store.allows_stale(lower(space::VARCHAR))
        THEN error(
            'the space ' || lower(space) || ' is stale, because the lexicon has changed; make it again by: '
            || 'aptdb refresh LEXICON ' || lower(space)
        )
        ELSE true
    END
    FROM _store.derived AS known
    WHERE known.kind = 'space' AND known.name = lower(space::VARCHAR)
);

-- True where nothing is given that a space decides itself; otherwise an error. given: the name of the first such
-- parameter that was given, or NULL, and so is the error.
CREATE OR REPLACE MACRO _store.check_space(space, given) AS
    CASE
        WHEN space IS NULL THEN true
        WHEN _store.space_id(space) IS NULL THEN false
        ELSE coalesce(error(
            'the space ' || space || ' takes no ' || given
            || '; its weights, its measure and how it composes are fixed'
        )::BOOLEAN, true)
    END;

-- A row: a lexeme that has a vector in a space.
CREATE OR REPLACE MACRO _store.vectors_of(space) AS TABLE (
    SELECT stored.lexeme_id, stored.vector
    FROM _store.space_vector AS stored
    WHERE stored.space_id = _store.space_id(space)
);

-- A row: ppmi of one of the lexemes named (lexeme_id) and a feature of a space, less ln shift; of an entry, the weights
-- that are stored. (Most features that a space lacks are counted too seldom to tell much.)
-- met_elsewhere: as _store.weights_here has it.
CREATE OR REPLACE MACRO _store.weights_in_space(lexemes, space, subcorpus, met_elsewhere) AS TABLE (
    WITH _of_lexeme AS NOT MATERIALIZED (FROM _store.plain_ppmi(lexemes, subcorpus)),
    _of_any AS NOT MATERIALIZED (
        FROM _store.weights_here(lexemes, 'ppmi', 'ppmi', met_elsewhere, @space_options@)
    )
    SELECT known.lexeme_id, known.path_id, known.context_id,
        known.weight - ln(_store.space_number(space, 'shift')) AS weight
    FROM query_table(
        CASE WHEN met_elsewhere IS NULL AND _store.entries() = 0 THEN '_of_lexeme' ELSE '_of_any' END
    ) AS known
    SEMI JOIN _store.space_feature AS feature
        ON feature.space_id = _store.space_id(space) AND feature.path_id = known.path_id
        AND feature.context_id = known.context_id
    WHERE known.weight > ln(_store.space_number(space, 'shift'))
);

-- A row: a word as it is moved (column moved; lexeme_id, delta, back), its weights in a space, by the features to which
-- they come.
CREATE OR REPLACE MACRO _store.moved_weights(moving, space, subcorpus, met_elsewhere := NULL) AS TABLE (
    WITH _asked AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM query_table(moving)),
    _weight AS MATERIALIZED (
        SELECT own.lexeme_id, path.text AS path, own.context_id, own.weight
        FROM _store.weights_in_space('_asked', space, subcorpus, met_elsewhere) AS own
        JOIN _store.path ON path.id = own.path_id
    ),
    -- A row: a node by how it moves, each once.
    _node AS MATERIALIZED (
        SELECT DISTINCT way.delta, way.back, at_node.path
        FROM query_table(moving) AS way
        JOIN (SELECT DISTINCT lexeme_id, path FROM _weight) AS at_node USING (lexeme_id)
    ),
    _moved_node AS MATERIALIZED (
        SELECT node.delta, node.back, node.path, target.id AS target_id
        FROM (
            SELECT _node.*, _store.moved(
                _node.path, list_filter([_node.delta, _node.back], lambda step: step <> '')
            ) AS moved_path
            FROM _node
        ) AS node
        JOIN _store.path AS target ON target.text = node.moved_path
    )
    SELECT way.moved, _moved_node.target_id AS path_id, _weight.context_id, _weight.weight
    FROM query_table(moving) AS way
    JOIN _weight ON _weight.lexeme_id = way.lexeme_id
    JOIN _moved_node
        ON _moved_node.path = _weight.path AND _moved_node.delta = way.delta AND _moved_node.back = way.back
);

-- A row: a feature of a space, with the dimension before its first: 0, or that before the window's.
CREATE OR REPLACE MACRO _store.feature_of(space) AS TABLE (
    SELECT stored.path_id, stored.context_id, stored.scale, stored.projection,
        CASE WHEN stored.path_id = 0 THEN _store.space_count(space, 'tree_dimensions') ELSE 0 END AS before
    FROM _store.space_feature AS stored
    WHERE stored.space_id = _store.space_id(space)
);

-- A row: a lexeme of those named (lexeme_id), a context (a lexeme that was decomposed), and ppmi of the two: how often
-- the one stands near the other, each time (N + 1 − distance) / N, compared with how frequent contexts are (to the
-- power .75). Tokens that the settings leave out keep their places.
CREATE OR REPLACE MACRO _store.near_weights(lexemes, space, subcorpus) AS TABLE (
    WITH _own AS MATERIALIZED (FROM _store.node_of(lexemes, subcorpus)),
    _searched AS MATERIALIZED (SELECT DISTINCT sentence_id FROM _own),
    _context AS MATERIALIZED (
        SELECT id AS lexeme_id, frequency
        FROM _store.lexeme
        WHERE frequency >= _store.space_count(space, 'min_frequency')
            AND list_contains(string_split(_store.space_fact(space, 'pos'), ','), pos)
            AND EXISTS (FROM _searched) -- (mostly there are none: a lexeme that has a vector is not counted anew)
    ),
    _context_there AS NOT MATERIALIZED (
        SELECT known.id AS lexeme_id, known.frequency
        FROM _store.lexeme_in(subcorpus) AS known
        SEMI JOIN _context ON _context.lexeme_id = known.id
    ),
    -- (By itself: else DuckDB may join all tokens with their words first.)
    _placed AS MATERIALIZED (
        SELECT node.sentence_id, node.position, node.word_id
        FROM _store.stored_node AS node
        JOIN _searched ON _searched.sentence_id = node.sentence_id
    ),
    _near AS (
        SELECT _placed.sentence_id, _placed.position, context.lexeme_id
        FROM _placed
        JOIN _store.word ON word.id = _placed.word_id
        JOIN _context AS context ON context.lexeme_id = word.lexeme_id
    ),
    _count AS MATERIALIZED (
        SELECT _own.lexeme_id, _near.lexeme_id AS context_id,
            sum(_store.space_count(space, 'window') + 1 - abs(_near.position - _own.position))::DOUBLE
            / _store.space_count(space, 'window') AS count
        FROM _own
        JOIN _near ON _near.sentence_id = _own.sentence_id
            AND _near.position
            BETWEEN _own.position - _store.space_count(space, 'window')
            AND _own.position + _store.space_count(space, 'window')
            AND _near.position <> _own.position
        GROUP BY _own.lexeme_id, _near.lexeme_id
    ),
    _share AS MATERIALIZED (
        SELECT lexeme_id AS context_id, frequency ** 0.75 / sum(frequency ** 0.75) OVER () AS share
        FROM query_table(CASE WHEN subcorpus IS NULL THEN '_context' ELSE '_context_there' END)
    )
    SELECT met.lexeme_id, met.context_id, ln(met.share / _share.share) AS weight
    FROM (
        SELECT lexeme_id, context_id, count / sum(count) OVER (PARTITION BY lexeme_id) AS share FROM _count
    ) AS met
    JOIN _share ON _share.context_id = met.context_id
    WHERE met.share > _share.share
);

-- Whether a dimension is of what stands near by.
CREATE OR REPLACE MACRO _store.is_near(dimension, space) AS
    dimension > _store.space_count(space, 'tree_dimensions');

-- A row: a half of a vector, that along paths or that near by, of an owner of the relation named (own, dimension,
-- value), and what its values are multiplied by, so that both halves are of length 1, weigh as window_share says, and
-- the whole is of length 1. None of a half that is nothing.
CREATE OR REPLACE MACRO _store.half_of(dimensions, space) AS TABLE (
    WITH _half AS MATERIALIZED (
        SELECT own, _store.is_near(dimension, space) AS is_near, CASE
                WHEN _store.space_count(space, 'window') = 0 THEN 1
                WHEN _store.is_near(dimension, space) THEN _store.space_number(space, 'window_share')
                ELSE 1 - _store.space_number(space, 'window_share')
            END AS share, sqrt(fsum(value * value)) AS size
        FROM query_table(dimensions)
        GROUP BY ALL
    )
    SELECT own, is_near, sqrt(share / sum(share) OVER (PARTITION BY own)) AS length, size
    FROM _half
    WHERE size > 0 AND share > 0
);

-- The numbers of a half of a vector, multiplied so that its length is that of its share of the whole; or so many zeros
-- where it is nothing. size: its length as it is.
CREATE OR REPLACE MACRO _store.scaled_half(numbers, size, length, dimensions) AS
    CASE
        WHEN length > 0 THEN list_transform(numbers, lambda number: number * length / size)
        ELSE list_resize([]::DOUBLE[], dimensions, 0)
    END;

-- A row: an owner of the relation named (own, dimension, value), and its vector of length 1, whose halves weigh as
-- _store.half_of has it. No row where both are nothing.
CREATE OR REPLACE MACRO _store.of_length_one(dimensions, space) AS TABLE (
    WITH _sized AS (
        SELECT own, list(value ORDER BY dimension ASC) FILTER (NOT is_near) AS along_paths,
            list(value ORDER BY dimension ASC) FILTER (is_near) AS near,
            sqrt(fsum(value * value) FILTER (NOT is_near)) AS size,
            sqrt(fsum(value * value) FILTER (is_near)) AS near_size
        FROM (SELECT own, dimension, value, _store.is_near(dimension, space) AS is_near FROM query_table(dimensions))
        GROUP BY own
    ),
    _shared AS (
        SELECT *, CASE WHEN size > 0 THEN 1 - _store.space_number(space, 'window_share') ELSE 0 END AS share,
            CASE WHEN near_size > 0 THEN _store.space_number(space, 'window_share') ELSE 0 END AS near_share
        FROM _sized
    )
    SELECT own, list_concat(
            _store.scaled_half(
                along_paths, size, sqrt(share / (share + near_share)), _store.space_count(space, 'tree_dimensions')
            ),
            _store.scaled_half(
                near, near_size, sqrt(near_share / (share + near_share)),
                _store.space_count(space, 'dimensions') - _store.space_count(space, 'tree_dimensions')
            )
        ) AS vector
    FROM _shared
    WHERE share + near_share > 0
);

-- A row: a lexeme that has its weights (weights: moved, path_id, context_id, weight) projected, and its vector, of
-- length 1. Near words stay with it, wherever these have moved; they are those of its vector, where it has one, and is
-- not of a subcorpus nor counted anew.
CREATE OR REPLACE MACRO _store.projected(moving, weights, space, subcorpus, anew) AS TABLE (
    WITH _stored AS MATERIALIZED (
        SELECT way.moved, stored.vector[_store.space_count(space, 'tree_dimensions') + 1:] AS vector
        FROM query_table(moving) AS way
        JOIN _store.vectors_of(space) AS stored ON stored.lexeme_id = way.lexeme_id
    ),
    _not_stored AS MATERIALIZED (
        SELECT way.moved, way.lexeme_id FROM query_table(moving) AS way ANTI JOIN _stored ON _stored.moved = way.moved
    ),
    _counted AS MATERIALIZED (
        SELECT moved, lexeme_id
        FROM query_table(CASE WHEN anew OR subcorpus IS NOT NULL THEN moving ELSE '_not_stored' END)
    ),
    _along_paths AS NOT MATERIALIZED (SELECT moved, path_id, context_id, weight FROM query_table(weights)),
    _beside_near AS NOT MATERIALIZED (
        FROM _along_paths
        UNION ALL
        SELECT _counted.moved, 0, near.context_id, near.weight
        FROM _store.near_weights('_counted', space, subcorpus) AS near
        JOIN _counted ON _counted.lexeme_id = near.lexeme_id
    ),
    _part AS NOT MATERIALIZED (
        SELECT own.moved, unnest(feature.projection) * (own.weight * feature.scale) AS value,
            feature.before + generate_subscripts(feature.projection, 1) AS dimension
        FROM query_table(
            CASE WHEN _store.space_count(space, 'window') = 0 THEN '_along_paths' ELSE '_beside_near' END
        ) AS own
        JOIN _store.feature_of(space) AS feature
            ON feature.path_id = own.path_id AND feature.context_id = own.context_id
    ),
    _beside_stored AS NOT MATERIALIZED (
        FROM _part
        UNION ALL
        SELECT moved, unnest(vector)::DOUBLE,
            _store.space_count(space, 'tree_dimensions') + generate_subscripts(vector, 1)
        FROM _stored
    ),
    _summed AS MATERIALIZED (
        SELECT moved AS own, dimension, fsum(value) AS value
        FROM query_table(
            CASE
                WHEN anew OR subcorpus IS NOT NULL OR _store.space_count(space, 'window') = 0 THEN '_part'
                ELSE '_beside_stored'
            END
        )
        GROUP BY moved, dimension
    )
    SELECT own AS moved, vector FROM _store.of_length_one('_summed', space)
);

-- True where all words of phrases have a feature of the space, or need none; otherwise an error that names the first
-- that has none. weighed names the words that have one (question, position).
CREATE OR REPLACE MACRO _store.check_bare_in_space(questions, words, weighed, missing, space) AS (
    SELECT coalesce(bool_and(error(
        bare.name || ' has no feature of the space ' || lower(space)
        || ', moved to its place in the phrase; missing := ''skip'' leaves it out'
    )::BOOLEAN), true)
    FROM (
        SELECT asked.words[word.position].lexeme AS name
        FROM query_table(words) AS word
        JOIN query_table(questions) AS asked ON asked.question = word.question
        ANTI JOIN query_table(weighed) AS having_vector
            ON having_vector.question = word.question AND having_vector.position = word.position
        WHERE asked.name IS NULL AND missing = 'error'
        ORDER BY word.question ASC, word.position ASC
        LIMIT 1
    ) AS bare
);

-- A row: a word of one of the questions named, with how it moves, and how much it counts.
CREATE OR REPLACE MACRO _store.word_in_space(questions, subcorpus, @composition_inside@) AS TABLE (
    SELECT word.question, word.position, word.lexeme_id, word.delta, word.back,
        CASE WHEN asked.words[word.position].delta IN ('', 'ε') THEN head_weight ELSE 1 - head_weight END AS factor,
        asked.name IS NOT NULL AS is_lexeme
    FROM _store.aligned_word(questions, 'ppmi', 'ppmi', aligned, missing, met_elsewhere, @space_options@) AS word
    JOIN query_table(questions) AS asked ON asked.question = word.question
    WHERE _store.check_asked(questions, 'ppmi', @composition_inside@, @space_options@)
);

-- True where lexemes can be asked about in a space; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_lexemes_in_space(questions, space, subcorpus, @composition_inside@) AS (
    SELECT CASE
        @composition_checks_in_space@
        WHEN NOT _store.check_known_space(space) THEN false
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        ELSE _store.check_gathered(gathered.asked, gathered.with_phrases)
    END
    FROM _store.gathered_questions(questions) AS gathered
);

-- A row: a question about a lexeme, of the relation named, and its vector, of length 1: the one that is stored, or, of
-- a new or rare lexeme and in a subcorpus, one that is projected. No row where it has no feature of the space.
CREATE OR REPLACE MACRO _store.lexeme_vectors_in_space(questions, space, subcorpus, @composition_inside@) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT question, lexeme_id
        FROM _store.question_word(questions, subcorpus, 'ppmi', 'ppmi', missing, @space_options@)
        WHERE CASE
                WHEN _store.check_lexemes_in_space(questions, space, subcorpus, @composition_inside@)
                THEN lexeme_id IS NOT NULL
            END
    ),
    _known AS MATERIALIZED (
        SELECT _word.question, _word.lexeme_id, stored.vector
        FROM _word
        JOIN _store.vectors_of(space) AS stored ON stored.lexeme_id = _word.lexeme_id
        WHERE subcorpus IS NULL
    ),
    _new AS MATERIALIZED (
        SELECT DISTINCT lexeme_id AS moved, lexeme_id FROM _word ANTI JOIN _known USING (lexeme_id)
    ),
    _weight AS NOT MATERIALIZED (
        SELECT lexeme_id AS moved, path_id, context_id, weight
        FROM _store.weights_in_space('_new', space, subcorpus, met_elsewhere)
    )
    SELECT question, lexeme_id, vector FROM _known
    UNION ALL
    SELECT _word.question, _word.lexeme_id, projected.vector::FLOAT[]
    FROM _store.projected('_new', '_weight', space, subcorpus, true) AS projected
    JOIN _word ON _word.lexeme_id = projected.moved
);

-- A row: a question of the relation named, and its vector, of length 1: that of its lexeme, or the sum of those of its
-- words, each moved, projected and of length 1. No row for one whose words have no feature of the space. subcorpus:
-- whose weights are projected.
CREATE OR REPLACE MACRO _store.any_vectors_in_space(questions, space, subcorpus, @composition_inside@) AS TABLE (
    WITH _word AS MATERIALIZED (
        FROM _store.word_in_space(questions, subcorpus, @composition_inside@)
        WHERE _store.check_known_space(space)
    ),
    -- A row: a word that stays where it is, and has a vector: in a subcorpus, each is projected anew.
    _known AS MATERIALIZED (
        SELECT _word.question, _word.position, _word.factor, _word.is_lexeme, stored.vector
        FROM _word
        JOIN _store.vectors_of(space) AS stored ON stored.lexeme_id = _word.lexeme_id
        WHERE _word.delta = '' AND _word.back = '' AND subcorpus IS NULL
    ),
    _moving AS MATERIALIZED (
        SELECT _word.*
        FROM _word
        ANTI JOIN _known ON _known.question = _word.question AND _known.position = _word.position
        WHERE _word.lexeme_id IS NOT NULL
    ),
    _moved AS MATERIALIZED (
        SELECT row_number() OVER () AS moved, lexeme_id, delta, back
        FROM (SELECT DISTINCT lexeme_id, delta, back FROM _moving)
    ),
    _weight AS NOT MATERIALIZED (
        FROM _store.moved_weights('_moved', space, subcorpus, met_elsewhere := met_elsewhere)
    ),
    _projected AS MATERIALIZED (FROM _store.projected('_moved', '_weight', space, subcorpus, false)),
    -- A row: a dimension of a word. The root's word, and the others, weigh as head_weight says.
    _of_word AS (
        SELECT question, position, factor, unnest(vector)::DOUBLE AS value, generate_subscripts(vector, 1) AS dimension
        FROM _known
        WHERE NOT is_lexeme
        UNION ALL
        SELECT _moving.question, _moving.position, _moving.factor, unnest(_projected.vector),
            generate_subscripts(_projected.vector, 1)
        FROM _moving
        JOIN _moved USING (lexeme_id, delta, back)
        JOIN _projected ON _projected.moved = _moved.moved
    ),
    _summed AS MATERIALIZED (
        SELECT question AS own, dimension, fsum(value * factor) AS value FROM _of_word GROUP BY question, dimension
    )
    SELECT question, vector FROM _known WHERE is_lexeme
    UNION ALL
    SELECT own, vector::FLOAT[]
    FROM _store.of_length_one('_summed', space)
    WHERE (SELECT _store.check_bare_in_space(questions, '_word', '_of_word', missing, space))
);

-- A row: a question of the relation named, the id of its lexeme where all are lexemes, and its vector in a space. sort:
-- as _store.question_vectors has it; phrases may have lexemes beside them.
CREATE OR REPLACE MACRO _store.space_question_vectors(
    questions, sort, space, subcorpus, @composition_inside@
) AS TABLE (
    WITH _of_lexeme AS NOT MATERIALIZED (
        FROM _store.lexeme_vectors_in_space(questions, space, subcorpus, @composition_inside@)
    ),
    _of_any AS NOT MATERIALIZED (
        SELECT question, NULL::INTEGER AS lexeme_id, vector
        FROM _store.any_vectors_in_space(questions, space, subcorpus, @composition_inside@)
    )
    FROM query_table(CASE WHEN sort = 'lexemes' AND met_elsewhere IS NULL THEN '_of_lexeme' ELSE '_of_any' END)
);

-- A row: one of the two questions named, and its vector; the second may be asked of another subcorpus.
CREATE OR REPLACE MACRO _store.pair_vectors_in_space(
    questions, sort, space, subcorpus, subcorpus_b, @composition_inside@
) AS TABLE (
    WITH _first AS MATERIALIZED (FROM query_table(questions) WHERE question = 1),
    _second AS MATERIALIZED (FROM query_table(questions) WHERE question = 2),
    _of_one AS NOT MATERIALIZED (
        FROM _store.space_question_vectors(questions, sort, space, subcorpus, @composition_inside@)
    ),
    _of_two AS NOT MATERIALIZED (
        FROM _store.space_question_vectors('_first', sort, space, subcorpus, @composition_inside@)
        UNION ALL
        FROM _store.space_question_vectors('_second', sort, space, subcorpus_b, @composition_inside@)
    )
    FROM query_table(CASE WHEN subcorpus IS NOT DISTINCT FROM subcorpus_b THEN '_of_one' ELSE '_of_two' END)
);

-- How alike two vectors of length 1 are, to six decimals: their numbers have no more.
CREATE OR REPLACE MACRO _store.similarity_in_space(one, other) AS
    round(list_inner_product(one, other)::DOUBLE, 6);

-- A row: a pair of the relation named (a, b, numbers of questions), and how alike they are in a space, NULL where one
-- has no vector.
CREATE OR REPLACE MACRO _store.compared_in_space(pairs, vectors) AS TABLE (
    SELECT pair.a, pair.b, _store.similarity_in_space(one.vector, other.vector) AS similarity
    FROM query_table(pairs) AS pair
    LEFT JOIN query_table(vectors) AS one ON one.question = pair.a
    LEFT JOIN query_table(vectors) AS other ON other.question = pair.b
);

-- True where a space has vectors of the neighbours asked for; otherwise an error that says which it has.
CREATE OR REPLACE MACRO _store.check_neighbours_in_space(space, tag, fewest) AS
    CASE
        WHEN fewest < _store.space_count(space, 'least_frequency') THEN error(
            'min_frequency is ' || fewest || ', but the space ' || space || ' has only vectors of lexemes that occur '
            || _store.space_count(space, 'least_frequency') || ' times or more'
        )
        WHEN tag IS NULL THEN error('pos is NULL; expected same, any or a tag')
        WHEN tag::VARCHAR NOT IN ('same', 'any')
            AND NOT list_contains(string_split(_store.space_fact(space, 'pos'), ','), tag::VARCHAR)
        THEN error(
            'pos is ''' || tag || ''', but the space ' || space || ' has only vectors of '
            || _store.space_fact(space, 'pos')
        )
        ELSE true
    END;

-- Which of lexemes and entries are candidates: the name of the relation that has them.
CREATE OR REPLACE MACRO _store.relation_among(among) AS
    CASE
        WHEN among = 'lexemes' THEN '_lexeme'
        WHEN among = 'entries' AND _store.entries() = 0 THEN '_none'
        WHEN _store.entries() = 0 THEN '_lexeme'
        WHEN among = 'entries' THEN '_entry'
        ELSE '_all'
    END;

-- A row: a lexeme that has a vector in a space, or an entry, with its vector.
CREATE OR REPLACE MACRO _store.vectors_among(among, space) AS TABLE (
    -- (In two parts, each read by a thread: DuckDB divides no table of fewer than 122,880 rows, and reads 2,048
    -- at a time.)
    WITH _lexeme AS NOT MATERIALIZED (
        SELECT even.lexeme_id, even.vector
        FROM _store.space_vector AS even
        WHERE even.space_id = _store.space_id(space) AND even.rowid & 2048 = 0
        UNION ALL
        SELECT odd.lexeme_id, odd.vector
        FROM _store.space_vector AS odd
        WHERE odd.space_id = _store.space_id(space) AND odd.rowid & 2048 <> 0
    ),
    _stored AS MATERIALIZED (SELECT lexeme_id FROM _store.entry_pos('ppmi', @no_options@)),
    _whole AS MATERIALIZED (SELECT lexeme_id AS moved, lexeme_id FROM _stored),
    _weight AS NOT MATERIALIZED (
        SELECT lexeme_id AS moved, path_id, context_id, weight
        FROM _store.weights_in_space('_whole', space, NULL, NULL)
    ),
    _entry AS NOT MATERIALIZED (
        SELECT moved AS lexeme_id, vector::FLOAT[] AS vector
        FROM _store.projected('_whole', '_weight', space, NULL, true)
    ),
    _all AS NOT MATERIALIZED (FROM _lexeme UNION ALL FROM _entry),
    _none AS NOT MATERIALIZED (FROM _lexeme WHERE false)
    FROM query_table(_store.relation_among(among))
);

-- A row: a lexeme or entry that may be a neighbour in a space if it has a vector, by its frequency and part of speech.
CREATE OR REPLACE MACRO _store.candidate_among(tag, fewest, among) AS TABLE (
    WITH _lexeme AS NOT MATERIALIZED (
        SELECT id AS lexeme_id, text, frequency, pos AS part_of_speech
        FROM _store.lexeme
        WHERE frequency >= coalesce(fewest, _store.default_min_frequency(NULL))
    ),
    _entry AS NOT MATERIALIZED (
        SELECT lexeme_id, text, frequency, part_of_speech FROM _store.entry_pos('ppmi', @no_options@)
    ),
    _all AS NOT MATERIALIZED (FROM _lexeme UNION ALL FROM _entry),
    _none AS NOT MATERIALIZED (FROM _lexeme WHERE false)
    FROM query_table(_store.relation_among(among)) AS word
    WHERE coalesce(tag::VARCHAR, 'any') IN ('same', 'any') OR word.part_of_speech = tag::VARCHAR
);

-- A row: the same with its vector, of those that have one.
CREATE OR REPLACE MACRO _store.candidate_in_space(tag, fewest, among, space) AS TABLE (
    SELECT candidate.*, own.vector
    FROM _store.candidate_among(tag, fewest, among) AS candidate
    JOIN _store.vectors_among(among, space) AS own USING (lexeme_id)
);

-- A row: a lexeme or entry near one of the questions named in a space, and its similarity, with its rank among them.
-- vectors names those of the questions, of a lexeme with its id (lexeme_id). All vectors are read once.
CREATE OR REPLACE MACRO _store.ranked_in_space(questions, sort, vectors, top, tag, fewest, among, space) AS TABLE (
    -- A row: a question, the lexeme or entry that is not its own neighbour (NULL for a phrase), and the part of speech
    -- of the word that it is anchored at.
    WITH _asked_by_id AS NOT MATERIALIZED (
        SELECT of_question.question, known.id AS itself, known.part_of_speech, of_question.vector
        FROM query_table(vectors) AS of_question
        JOIN _store.names(NULL) AS known ON known.id = of_question.lexeme_id
    ),
    _asked_by_name AS NOT MATERIALIZED (
        SELECT asked.question, CASE WHEN asked.name IS NOT NULL THEN known.id END AS itself,
            coalesce(known.part_of_speech, _store.pos_of(asked.anchored)) AS part_of_speech, of_question.vector
        FROM query_table(questions) AS asked
        JOIN query_table(vectors) AS of_question ON of_question.question = asked.question
        LEFT JOIN _store.names(NULL) AS known ON known.text = asked.anchored
    ),
    _question AS MATERIALIZED (
        FROM query_table(CASE WHEN sort = 'lexemes' THEN '_asked_by_id' ELSE '_asked_by_name' END)
        WHERE _store.check_neighbours_in_space(space, tag, fewest)
    ),
    -- (By itself: else DuckDB builds the table of a join from all vectors, and computes each product twice.)
    _compared AS MATERIALIZED (
        SELECT _question.question, _question.itself, _question.part_of_speech, own.lexeme_id,
            _store.similarity_in_space(own.vector, _question.vector) AS similarity
        FROM _store.vectors_among(among, space) AS own
        CROSS JOIN _question
    ),
    _ranked AS (
        SELECT _compared.question, candidate.lexeme_id, candidate.text, _compared.similarity, row_number() OVER (
            PARTITION BY _compared.question
            ORDER BY _compared.similarity DESC, candidate.frequency DESC, candidate.text ASC
        ) AS rank
        FROM _compared
        JOIN _store.candidate_among(tag, fewest, among) AS candidate ON candidate.lexeme_id = _compared.lexeme_id
        WHERE _compared.similarity > 0 AND _compared.lexeme_id IS DISTINCT FROM _compared.itself
            AND (
                coalesce(tag::VARCHAR, 'any') <> 'same'
                OR candidate.part_of_speech IS NOT DISTINCT FROM _compared.part_of_speech
            )
    )
    SELECT question, rank, lexeme_id, text, similarity
    FROM _ranked
    WHERE top IS NULL OR rank <= top
);

-- One row: the sum of the vectors named (question, vector), of length 1, as question 1. Each counts with its sign:
-- lexemes names what tells it (question, sign). No row where they add up to nothing.
CREATE OR REPLACE MACRO _store.mean_in_space(vectors, lexemes) AS TABLE (
    WITH _part AS (
        SELECT unnest(of_lexeme.vector)::DOUBLE * signed.sign AS value,
            generate_subscripts(of_lexeme.vector, 1) AS dimension
        FROM query_table(vectors) AS of_lexeme
        JOIN query_table(lexemes) AS signed ON signed.question = of_lexeme.question
    ),
    _summed AS MATERIALIZED (SELECT dimension, fsum(value) AS value FROM _part GROUP BY dimension)
    SELECT 1 AS question, list((_summed.value / sqrt(size.square))::FLOAT ORDER BY _summed.dimension ASC) AS vector
    FROM _summed
    CROSS JOIN (SELECT fsum(value * value) AS square FROM _summed) AS size
    WHERE size.square > 0
    HAVING count(*) > 0
);

-- A row: a feature of one of the questions named, and what it brings to a dimension of its vector. dimensions names
-- those that are wanted. What the words of a phrase bring is summed up, each of length 1.
CREATE OR REPLACE MACRO _store.brought_in_space(
    questions, dimensions, space, subcorpus, @composition_inside@
) AS TABLE (
    WITH _word AS MATERIALIZED (
        FROM _store.word_in_space(questions, subcorpus, @composition_inside@) WHERE lexeme_id IS NOT NULL
    ),
    _moving AS MATERIALIZED (
        SELECT row_number() OVER () AS moved, lexeme_id, delta, back
        FROM (SELECT DISTINCT lexeme_id, delta, back FROM _word)
    ),
    _weight AS NOT MATERIALIZED (
        FROM _store.moved_weights('_moving', space, subcorpus)
        UNION ALL
        SELECT _moving.moved, 0, near.context_id, near.weight
        FROM _store.near_weights('_moving', space, subcorpus) AS near
        JOIN _moving ON _moving.lexeme_id = near.lexeme_id
    ),
    _part AS MATERIALIZED (
        SELECT own.moved, own.path_id, own.context_id, own.weight * feature.scale AS weight, feature.projection,
            feature.before
        FROM _weight AS own
        JOIN _store.feature_of(space) AS feature
            ON feature.path_id = own.path_id AND feature.context_id = own.context_id
    ),
    _sum AS MATERIALIZED (
        SELECT moved AS own, dimension, fsum(value) AS value
        FROM (
            SELECT moved, before + generate_subscripts(projection, 1) AS dimension,
                unnest(projection) * weight AS value
            FROM _part
        )
        GROUP BY moved, dimension
    ),
    _half AS MATERIALIZED (FROM _store.half_of('_sum', space))
    SELECT _word.question, wanted.dimension, _part.path_id, _part.context_id, fsum(
            _word.factor * _half.length / _half.size * _part.weight
            * _part.projection[wanted.dimension - _part.before]
        ) AS value
    FROM _word
    JOIN _moving USING (lexeme_id, delta, back)
    JOIN _part ON _part.moved = _moving.moved
    JOIN _half ON _half.own = _moving.moved AND _half.is_near = (_part.path_id = 0)
    JOIN query_table(dimensions) AS wanted
        ON wanted.dimension > _part.before AND wanted.dimension <= _part.before + len(_part.projection)
    GROUP BY _word.question, wanted.dimension, _part.path_id, _part.context_id
);

-- A row: one of the dimensions named (dimension, direction_a, direction_b: the signs of its two values), and, as text,
-- the features that both questions have and that bring most to it in these directions: by the lesser of what they bring
-- to the one and to the other.
CREATE OR REPLACE MACRO _store.features_behind(
    questions, dimensions, space, subcorpus, subcorpus_b, @composition_inside@
) AS TABLE (
    WITH _one AS MATERIALIZED (FROM query_table(questions) WHERE question = 1),
    _other AS MATERIALIZED (FROM query_table(questions) WHERE question = 2),
    _of_one AS NOT MATERIALIZED (
        FROM _store.brought_in_space(questions, dimensions, space, subcorpus, @composition_inside@)
    ),
    _of_two AS NOT MATERIALIZED (
        FROM _store.brought_in_space('_one', dimensions, space, subcorpus, @composition_inside@)
        UNION ALL
        FROM _store.brought_in_space('_other', dimensions, space, subcorpus_b, @composition_inside@)
    ),
    _brought AS MATERIALIZED (
        FROM query_table(CASE WHEN subcorpus IS NOT DISTINCT FROM subcorpus_b THEN '_of_one' ELSE '_of_two' END)
    ),
    _ranked AS (
        SELECT wanted.dimension, one.path_id, one.context_id, row_number() OVER (
            PARTITION BY wanted.dimension
            ORDER BY round(least(one.value * wanted.direction_a, other.value * wanted.direction_b), 9) DESC,
                one.path_id ASC, one.context_id ASC
        ) AS rank
        FROM query_table(dimensions) AS wanted
        JOIN _brought AS one ON one.question = 1 AND one.dimension = wanted.dimension
        JOIN _brought AS other
            ON other.question = 2 AND other.dimension = wanted.dimension AND other.path_id = one.path_id
            AND other.context_id = one.context_id
        WHERE one.value * wanted.direction_a > 0 AND other.value * wanted.direction_b > 0
    )
    SELECT _ranked.dimension, string_agg(
        trim(coalesce(path.text, '~') || ' ' || context.text), ', ' ORDER BY _ranked.rank ASC
    ) AS features
    FROM _ranked
    LEFT JOIN _store.path ON path.id = _ranked.path_id
    JOIN _store.lexeme AS context ON context.id = _ranked.context_id
    WHERE _ranked.rank <= 5
    GROUP BY _ranked.dimension
);

-- A row: a feature that a space expects of one of the vectors named (question, vector), and how much: what the
-- dimensions leave of a row of length 1 of the matrix that was decomposed, from a hundredth on. So features have
-- weights that their lexeme was never counted with. (The columns of projections are orthogonal: a vector times their
-- transpose, each dimension divided by the square of its column's length, is the row whose projection the vector is.)
CREATE OR REPLACE MACRO _store.expected(vectors, space) AS TABLE (
    WITH _feature AS NOT MATERIALIZED (FROM _store.feature_of(space)),
    _square AS MATERIALIZED (
        SELECT dimension, fsum(value * value) AS square
        FROM (
            SELECT unnest(projection) * scale AS value, before + generate_subscripts(projection, 1) AS dimension
            FROM _feature
        )
        GROUP BY dimension
    ),
    -- A row: a dimension of a vector; the halves of one with a window are rows of two matrices, each of length 1.
    _part AS MATERIALIZED (
        SELECT part.question AS own, part.dimension, part.value
        FROM (
            SELECT question, unnest(vector)::DOUBLE AS value, generate_subscripts(vector, 1) AS dimension
            FROM query_table(vectors)
        ) AS part
    ),
    _divided AS MATERIALIZED (
        SELECT part.own AS question, list(
                part.value / _square.square
                / CASE WHEN _store.space_count(space, 'window') = 0 THEN 1 ELSE coalesce(half.size, 1) END
                ORDER BY part.dimension ASC
            ) AS vector
        FROM _part AS part
        JOIN _square ON _square.dimension = part.dimension
        LEFT JOIN _store.half_of('_part', space) AS half
            ON half.own = part.own AND half.is_near = _store.is_near(part.dimension, space)
        GROUP BY part.own
    ),
    _weight AS (
        SELECT _divided.question, _feature.path_id, _feature.context_id, round(list_inner_product(
                _feature.projection::DOUBLE[],
                _divided.vector[_feature.before + 1:_feature.before + len(_feature.projection)]
            ) * _feature.scale, 6) AS weight
        FROM _feature
        CROSS JOIN _divided
    )
    SELECT _weight.question, coalesce(path.text, '~') AS path, context.text AS context, _weight.weight
    FROM _weight
    LEFT JOIN _store.path ON path.id = _weight.path_id
    JOIN _store.lexeme AS context ON context.id = _weight.context_id
    WHERE _weight.weight >= 0.01
);
