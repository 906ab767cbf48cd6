-- From the words of phrases to the features of their moved APTs, each lexeme moved once for all the phrases that have
-- it so.

-- A row: a word of a question, with its offset (ε where nothing is aligned) and the way back, the path from the root's
-- word to the anchor. Where words are counted elsewhere than in the phrase, its lexeme has an id of its own.
CREATE OR REPLACE MACRO _store.aligned_word(
    questions, weights, scheme, aligned, missing, met_elsewhere, @own_options@
) AS TABLE (
    WITH _word AS NOT MATERIALIZED (
        FROM _store.question_word(questions, @held_subcorpus@, weights, scheme, missing, @own_options@)
    ),
    _word_elsewhere AS NOT MATERIALIZED (
        SELECT * REPLACE (_store.elsewhere_id(question // 4, lexeme_id) AS lexeme_id) FROM _word
    )
    SELECT word.question, word.position, word.lexeme_id, CASE WHEN aligned THEN word.delta ELSE '' END AS delta,
        CASE WHEN aligned AND asked.seen_from <> '' THEN path_inverse(asked.seen_from) ELSE '' END AS back
    FROM query_table(CASE WHEN met_elsewhere IS NULL THEN '_word' ELSE '_word_elsewhere' END) AS word
    JOIN query_table(questions) AS asked ON asked.question = word.question
);

-- A row: a weight of a lexeme of the relation named, as _store.weights_of has it; or, where words are counted elsewhere
-- than in the phrase, made of the co-occurrences named (met_elsewhere).
CREATE OR REPLACE MACRO _store.weights_here(lexemes, weights, scheme, met_elsewhere, @own_options@) AS TABLE (
    WITH _weight AS NOT MATERIALIZED (FROM _store.weights_of(lexemes, false, weights, scheme, @own_options@)),
    _met AS NOT MATERIALIZED (
        SELECT met.*
        FROM query_table(coalesce(met_elsewhere, lexemes)) AS met
        SEMI JOIN query_table(lexemes) AS _asked ON _asked.lexeme_id = met.lexeme_id
    ),
    _own_node AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM _met GROUP BY lexeme_id, path_id
    ),
    _weight_elsewhere AS NOT MATERIALIZED (
        SELECT weighed.lexeme_id, weighed.path_id, NULL::VARCHAR AS path_text, weighed.context_id,
            NULL::VARCHAR AS context_text, weighed.feature_id, weighed.weight
        FROM _store.weighed_of('_met', '_own_node', false, weights, scheme, @own_options@) AS weighed
    ),
    -- (Neighbours by which words are smoothed, and entries, are weighed as everywhere.)
    _weight_of_each AS NOT MATERIALIZED (FROM _weight UNION ALL FROM _weight_elsewhere)
    FROM query_table(CASE WHEN met_elsewhere IS NULL THEN '_weight' ELSE '_weight_of_each' END)
);

-- A row: a node of a contributor's APT by the offsets along which it moves, and the path that it comes to. Offsets move
-- nodes, not features, and many words alike: each distinct path is rewritten once for each distinct list of offsets.
CREATE OR REPLACE MACRO _store.moved_node(contributors, own_weights) AS TABLE (
    SELECT node.offsets, node.path_id, node.path_text,
        _store.moved(coalesce(path.text, node.path_text), node.offsets) AS path
    FROM (
        SELECT DISTINCT moving.offsets, at_node.path_id, at_node.path_text
        FROM (SELECT DISTINCT lexeme_id, offsets FROM query_table(contributors)) AS moving
        JOIN (SELECT DISTINCT lexeme_id, path_id, path_text FROM query_table(own_weights)) AS at_node USING (lexeme_id)
    ) AS node
    LEFT JOIN _store.path ON path.id = node.path_id
);

-- A row: a feature of a moved APT; its path is a number, so that features are merged by number (paths: number, path).
CREATE OR REPLACE MACRO _store.moved_feature(contributors, own_weights, moved_nodes, paths, smooth) AS TABLE (
    WITH _contributed AS NOT MATERIALIZED (
        SELECT contributor.moved_apt, numbered.number, own.context_id, own.context_text,
            own.weight * contributor.factor AS weight
        FROM query_table(contributors) AS contributor
        JOIN query_table(own_weights) AS own ON own.lexeme_id = contributor.lexeme_id
        JOIN query_table(moved_nodes) AS node
            ON node.offsets = contributor.offsets
            AND node.path_id IS NOT DISTINCT FROM own.path_id
            AND node.path_text IS NOT DISTINCT FROM own.path_text
        JOIN query_table(paths) AS numbered ON numbered.path = node.path
    ),
    _summed AS NOT MATERIALIZED (
        SELECT moved_apt, number, context_id, context_text, sum(weight) AS weight
        FROM _contributed
        GROUP BY moved_apt, number, context_id, context_text
    )
    FROM query_table(CASE WHEN smooth = 'none' THEN '_contributed' ELSE '_summed' END)
);
