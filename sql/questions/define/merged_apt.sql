-- A row: a node of the phrase's own tree, as it is seen from the anchor (the paper's internal context).
CREATE OR REPLACE MACRO _store.internal_node(questions, aligned) AS TABLE (
    WITH _delta AS (
        SELECT question, CASE WHEN aligned THEN seen_from ELSE '' END AS seen_from,
            unnest(list_transform(words, lambda word: CASE WHEN aligned THEN word['delta'] ELSE '' END)) AS delta
        FROM query_table(questions)
    )
    SELECT question, '' AS path FROM query_table(questions)
    UNION
    SELECT question, path_offset(path_inverse(delta), path_inverse(seen_from)) FROM _delta
);

-- A row: a feature of those named (question, path) at the nodes asked for: all, those of the phrase's own tree
-- (internal), or all others (external).
CREATE OR REPLACE MACRO _store.features_at(features, questions, aligned, nodes) AS TABLE (
    WITH _internal AS NOT MATERIALIZED (
        FROM _store.internal_node(questions, aligned)
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

-- A row: one feature of the words of one of the questions named, merged into one APT (the paper's equations 9 to 13)
-- and seen from the anchor. The weights are the scheme's, composed as they are. From words by their offsets to the
-- features of moved APTs, and these merged.
CREATE OR REPLACE MACRO _store.merged_apt(questions, weights, scheme, @composition_inside@, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        FROM _store.aligned_word(questions, weights, scheme, aligned, missing, met_elsewhere, options)
    ),
    _asked AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _word WHERE lexeme_id IS NOT NULL
    ),
    _own_weight AS MATERIALIZED (
        FROM _store.weights_here('_asked', weights, scheme, met_elsewhere, options)
    ),
    _weighed AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _own_weight
    ),
    _present AS MATERIALIZED (
        FROM _store.present_word('_word', '_weighed', missing)
    ),
    _offset_word AS MATERIALIZED (
        FROM _store.offset_word('_present', questions, weights, strategy, smooth, _store.subcorpus(weights, options))
    ),
    _moved_apt AS MATERIALIZED (
        FROM _store.moved_apt('_offset_word')
    ),
    _contributor AS MATERIALIZED (
        FROM _store.contributor('_moved_apt', weights, options, smooth, alpha, found_neighbours)
    ),
    _contributing AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _contributor WHERE lexeme_id IS NOT NULL
    ),
    _contributed_weight AS MATERIALIZED (
        FROM _store.weights_here('_contributing', weights, scheme, met_elsewhere, options)
    ),
    _weight AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN '_own_weight' ELSE '_contributed_weight' END)
    ),
    _moved_node AS MATERIALIZED (
        FROM _store.moved_node('_contributor', '_weight')
    ),
    _numbered AS MATERIALIZED (
        SELECT path, row_number() OVER () AS number FROM (SELECT DISTINCT path FROM _moved_node WHERE path IS NOT NULL)
    ),
    _moved_feature AS NOT MATERIALIZED (
        FROM _store.moved_feature('_contributor', '_weight', '_moved_node', '_numbered', smooth)
    ),
    _word_feature AS NOT MATERIALIZED (
        FROM _store.word_feature('_offset_word', '_moved_apt', '_moved_feature')
    ),
    _merged AS NOT MATERIALIZED (
        FROM _store.merged_feature('_word_feature', '_present', questions, strategy, merge, head_weight, unit)
    ),
    _feature AS NOT MATERIALIZED (
        SELECT _merged.question, _numbered.path, _merged.context_id, _merged.context_text, _merged.weight
        FROM _merged
        JOIN _numbered ON _numbered.number = _merged.number
        WHERE _merged.weight <> 0
    )
    SELECT kept.question, kept.path, kept.context_id, kept.context_text, kept.weight
    FROM _store.features_at('_feature', questions, aligned, nodes) AS kept
    WHERE (SELECT _store.check_bare((SELECT name FROM _store.bare_word(questions, '_word', '_weighed', missing))))
        AND (SELECT _store.check_root_of(questions, aligned, smooth))
);

-- A row: a neighbour that smoothing finds for a word of the questions named: for several compositions of them that
-- differ in what comes after it, as the settings of a grid do. (Words that are left out later have theirs, too.)
CREATE OR REPLACE MACRO _store.neighbours_to_share(questions, @parameters_of_similarity_each@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.asked_in(questions, anchor)
    ),
    _word AS MATERIALIZED (
        FROM _store.aligned_word('_question', weights, _store.scheme(weights), aligned, missing, NULL, @options@)
        WHERE _store.check_asked('_question', weights, @composing@, @options@)
    ),
    _known_word AS MATERIALIZED (
        FROM _word WHERE lexeme_id IS NOT NULL
    ),
    _offset_word AS MATERIALIZED (
        FROM _store.offset_word('_known_word', '_question', weights, strategy, smooth, subcorpus)
    ),
    _moved_apt AS MATERIALIZED (
        FROM _store.moved_apt('_offset_word')
    ),
    _target AS MATERIALIZED (
        FROM _store.smoothing_target('_moved_apt', smooth, subcorpus)
    )
    SELECT _target.lexeme_id, _target.delta, _target.part_of_speech, _target.anchored, near.lexeme_id AS neighbour_id
    FROM _store.smoothing_neighbour('_target', weights, @options@, smooth) AS near
    JOIN _target ON _target.question = near.question
);
