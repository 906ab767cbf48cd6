-- A row: a feature of those named (question, path) at the nodes asked for: all, those of the phrase's own tree
-- (internal), or all others (external).
CREATE OR REPLACE MACRO _store.features_at(features, questions, aligned, nodes) AS TABLE (
    WITH _delta AS (
        SELECT question, CASE WHEN aligned THEN seen_from ELSE '' END AS seen_from,
            unnest(list_transform(words, lambda word: CASE WHEN aligned THEN word['delta'] ELSE '' END)) AS delta
        FROM query_table(questions)
    ),
    -- A row: a node of the phrase's own tree, as it is seen from the anchor (the paper's internal context).
    _internal AS NOT MATERIALIZED (
        SELECT question, '' AS path FROM query_table(questions)
        UNION
        SELECT question, path_offset(path_inverse(delta), path_inverse(seen_from)) FROM _delta
    ),
    _internal_feature AS NOT MATERIALIZED (
        SELECT feature.* FROM query_table(features) AS feature SEMI JOIN _internal USING (question, path)
    ),
    _external_feature AS NOT MATERIALIZED (
        SELECT feature.* FROM query_table(features) AS feature ANTI JOIN _internal USING (question, path)
    )
    FROM query_table(
        CASE nodes WHEN 'internal' THEN '_internal_feature' WHEN 'external' THEN '_external_feature' ELSE features END
    )
);

-- A row: one feature of the words named (question, position, lexeme_id, delta, back), moved along their offsets and
-- merged into one APT for each question. own_weights names the weights of their lexemes.
CREATE OR REPLACE MACRO _store.merged_words(
    words, own_weights, questions, weights, scheme, @composition_inside@, @own_options@
) AS TABLE (
    WITH _offset_word AS MATERIALIZED (
        FROM _store.offset_word(words, questions, weights, strategy, smooth, @held_subcorpus@)
    ),
    -- A row: a lexeme by how it is moved, by a number (moved_apt): once for all the words that have it so.
    _moved_apt AS MATERIALIZED (
        SELECT row_number() OVER () AS moved_apt, *
        FROM (SELECT DISTINCT lexeme_id, delta, root_pos, root, offsets, offsets_from_root FROM _offset_word)
    ),
    _itself AS NOT MATERIALIZED (SELECT moved_apt, lexeme_id, offsets, 1 AS factor FROM _moved_apt),
    _with_neighbours AS NOT MATERIALIZED (
        FROM _store.smoothed_contributor('_moved_apt', weights, @own_options@, smooth, alpha, found_neighbours)
    ),
    -- A row: a lexeme whose weights go into a moved APT, along which offsets and how often: its own and, where APTs are
    -- smoothed, those of its neighbours.
    _contributor AS MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN '_itself' ELSE '_with_neighbours' END)
    ),
    _contributing AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM _contributor WHERE lexeme_id IS NOT NULL),
    _contributed_weight AS MATERIALIZED (
        FROM _store.weights_here('_contributing', weights, scheme, met_elsewhere, @own_options@)
    ),
    _weight AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN own_weights ELSE '_contributed_weight' END)
    ),
    _moved_node AS MATERIALIZED (FROM _store.moved_node('_contributor', '_weight')),
    _numbered AS MATERIALIZED (
        SELECT path, row_number() OVER () AS number FROM (SELECT DISTINCT path FROM _moved_node WHERE path IS NOT NULL)
    ),
    _moved_feature AS NOT MATERIALIZED (
        FROM _store.moved_feature('_contributor', '_weight', '_moved_node', '_numbered', smooth)
    ),
    -- A row: a word of a question, and its moved APT.
    _placed AS NOT MATERIALIZED (
        SELECT word.question, word.position, moved.moved_apt
        FROM _offset_word AS word
        JOIN _moved_apt AS moved
            ON moved.lexeme_id IS NOT DISTINCT FROM word.lexeme_id AND moved.offsets = word.offsets
            AND moved.delta = word.delta AND moved.root_pos IS NOT DISTINCT FROM word.root_pos
            AND moved.root IS NOT DISTINCT FROM word.root
    ),
    _word_feature AS NOT MATERIALIZED (
        SELECT _placed.question, _placed.position, own.number, own.context_id, own.context_text, own.weight
        FROM _placed
        JOIN _moved_feature AS own ON own.moved_apt = _placed.moved_apt
    )
    SELECT merged.question, _numbered.path, merged.context_id, merged.context_text, merged.weight
    FROM _store.merged_feature('_word_feature', words, questions, strategy, merge, head_weight, unit) AS merged
    JOIN _numbered ON _numbered.number = merged.number
    WHERE merged.weight <> 0
);

-- A row: one feature of the words of one of the questions named, merged into one APT (the paper's equations 9 to 13)
-- and seen from the anchor. The weights are the scheme's, composed as they are.
CREATE OR REPLACE MACRO _store.merged_apt(questions, weights, scheme, @composition_inside@, @own_options@) AS TABLE (
    WITH _word AS MATERIALIZED (
        FROM _store.aligned_word(questions, weights, scheme, aligned, missing, met_elsewhere, @own_options@)
    ),
    _asked AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM _word WHERE lexeme_id IS NOT NULL),
    _own_weight AS MATERIALIZED (FROM _store.weights_here('_asked', weights, scheme, met_elsewhere, @own_options@)),
    _weighed AS MATERIALIZED (SELECT DISTINCT lexeme_id FROM _own_weight),
    -- A row: a word that takes part in the merge: it has an APT, or is to be an empty one. skip_unknown leaves out the
    -- words that the lexicon lacks, and no others.
    _present AS MATERIALIZED (
        SELECT _word.question, _word.position, _word.lexeme_id, _word.delta, _word.back
        FROM _word
        LEFT JOIN _weighed ON _weighed.lexeme_id = _word.lexeme_id
        WHERE _weighed.lexeme_id IS NOT NULL OR missing = 'empty'
            OR (missing = 'skip_unknown' AND _word.lexeme_id IS NOT NULL)
    ),
    -- One row at most: the first word of a phrase that has no APT under these weights, where that is an error.
    _bare AS (
        SELECT asked.words[_word.position].lexeme AS name
        FROM _word
        JOIN query_table(questions) AS asked ON asked.question = _word.question
        ANTI JOIN _weighed ON _weighed.lexeme_id = _word.lexeme_id
        WHERE asked.name IS NULL AND missing = 'error'
        ORDER BY _word.question ASC, _word.position ASC
        LIMIT 1
    ),
    _feature AS NOT MATERIALIZED (
        FROM _store.merged_words(
            '_present', '_own_weight', questions, weights, scheme, @composition_inside@, @own_options@
        )
    )
    SELECT kept.question, kept.path, kept.context_id, kept.context_text, kept.weight
    FROM _store.features_at('_feature', questions, aligned, nodes) AS kept
    WHERE (SELECT coalesce(bool_and(error(
            name || ' has no features under these weights; missing := ''skip'' leaves it out, ''empty'' '
            || 'merges an empty APT'
        )::BOOLEAN), true) FROM _bare)
        AND (SELECT coalesce(bool_and(error(
            'smooth := ''offset:N'' needs the root of the phrase (a word whose delta is ''''), which it lacks; '
            || 'static:N does not'
        )::BOOLEAN), true) FROM query_table(questions) AS asked
        WHERE _store.smooth_method(smooth) = 'offset' AND aligned AND asked.name IS NULL AND asked.root IS NULL)
);

-- A row: a neighbour that smoothing finds for a word of the questions named: for several compositions of them that
-- differ in what comes after it, as the settings of a grid do. (Words that are left out later have theirs, too.)
CREATE OR REPLACE MACRO _store.neighbours_to_share(questions, @parameters_of_similarity_each@) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.asked_in(questions, anchor)),
    _word AS MATERIALIZED (
        FROM _store.aligned_word(
            '_question', weights, _store.scheme(weights), _store.aligned(aligned, weights), missing, NULL, @options@
        )
        WHERE _store.check_asked('_question', weights, @composing@, @options@)
    ),
    _known_word AS MATERIALIZED (FROM _word WHERE lexeme_id IS NOT NULL),
    _offset_word AS MATERIALIZED (
        FROM _store.offset_word(
            '_known_word', '_question', weights, _store.strategy(strategy, weights), _store.smooth(smooth, weights),
            subcorpus
        )
    ),
    _target AS MATERIALIZED (
        FROM _store.smoothing_target('_offset_word', _store.smooth(smooth, weights), subcorpus)
    )
    SELECT _target.lexeme_id, _target.delta, _target.part_of_speech, _target.anchored, near.lexeme_id AS neighbour_id
    FROM _store.smoothing_neighbour('_target', weights, @options@, _store.smooth(smooth, weights)) AS near
    JOIN _target ON _target.question = near.question
);
