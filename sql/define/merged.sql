-- True where no word of a phrase is bare, without an APT; otherwise an error that names it.
CREATE OR REPLACE MACRO _store.check_bare(name) AS
    CASE
        WHEN name IS NOT NULL THEN error(
            'nothing is left of ' || name || ' under these weights; missing := ''skip'' leaves it out, ''empty'' merges '
            || 'nothing in its place'
        )
        ELSE true
    END;

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

-- A row: one feature of the words of one of the questions named, merged into one APT (the paper's equations 9 to 13) and
-- seen from the anchor. The weights are the scheme's, composed as they are.
CREATE OR REPLACE MACRO _store.merged_apt(questions, weights, scheme, @manner@, options) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT word.question, word.position, word.lexeme_id, CASE WHEN aligned THEN word.delta ELSE '' END AS delta,
            CASE WHEN aligned AND asked.seen_from <> '' THEN path_inverse(asked.seen_from) ELSE '' END AS back
        FROM _store.question_word(questions, weights, scheme, missing, options) AS word
        JOIN query_table(questions) AS asked ON asked.question = word.question
    ),
    _asked AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _word WHERE lexeme_id IS NOT NULL
    ),
    -- A row: one feature of one word, its own APT not yet moved.
    _own_weight AS MATERIALIZED (
        FROM _store.weights_of('_asked', weights, scheme, options)
    ),
    _having AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _own_weight
    ),
    -- A row: a word that takes part in the merge: it has an APT, or is to be an empty one. skip_unknown leaves out the words
    -- that the lexicon lacks, and no others.
    _present AS MATERIALIZED (
        SELECT _word.question, _word.position, _word.lexeme_id, _word.delta, _word.back
        FROM _word
        LEFT JOIN _having ON _having.lexeme_id = _word.lexeme_id
        WHERE _having.lexeme_id IS NOT NULL OR missing = 'empty'
            OR (missing = 'skip_unknown' AND _word.lexeme_id IS NOT NULL)
    ),
    _size AS MATERIALIZED (
        SELECT question, count(*) AS words FROM _present GROUP BY question
    ),
    -- One row at most: the first word of a phrase that has no APT under these weights.
    _bare AS (
        SELECT asked.words[_word.position].lexeme AS name
        FROM _word
        JOIN query_table(questions) AS asked ON asked.question = _word.question
        ANTI JOIN _having ON _having.lexeme_id = _word.lexeme_id
        WHERE asked.name IS NULL AND missing = 'error'
        ORDER BY _word.question, _word.position
        LIMIT 1
    ),
    _at_once AS NOT MATERIALIZED (
        FROM _store.moving_at_once('_present')
    ),
    _left_to_right AS NOT MATERIALIZED (
        FROM _store.moving_left_to_right('_present')
    ),
    _on_the_way AS NOT MATERIALIZED (
        FROM query_table(CASE strategy WHEN 'one-step' THEN '_at_once' ELSE '_left_to_right' END)
    ),
    -- A row: the same, with what offset inference asks of the root's word: its part of speech, or for phi 'probability' itself.
    _rootless AS NOT MATERIALIZED (
        SELECT *, NULL::VARCHAR AS root_pos, NULL::VARCHAR AS root FROM _on_the_way
    ),
    _rooted AS NOT MATERIALIZED (
        SELECT _on_the_way.*, coalesce(known.part_of_speech, _store.pos_of(asked.root)) AS root_pos,
            CASE WHEN _store.phi(NULL, weights) = 'probability' THEN asked.root END AS root
        FROM _on_the_way
        JOIN query_table(questions) AS asked ON asked.question = _on_the_way.question
        LEFT JOIN _store.names() AS known ON known.text = asked.root
    ),
    _moving AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.smooth_kind(smooth) = 'offset' THEN '_rooted' ELSE '_rootless' END)
    ),
    -- A row: a lexeme by how it moves, once for all the phrases that have it so.
    _body AS MATERIALIZED (
        SELECT row_number() OVER () AS body, *
        FROM (SELECT DISTINCT lexeme_id, delta, root_pos, root, moves, from_root FROM _moving)
    ),
    -- A row: a lexeme whose APT goes into a body, and how often: its own, and with smoothing those of its neighbours.
    _plain_piece AS NOT MATERIALIZED (
        SELECT body, lexeme_id, moves, 1 AS factor FROM _body
    ),
    _smoothed_piece AS NOT MATERIALIZED (
        FROM _store.smoothed_piece('_body', weights, options, smooth, alpha)
    ),
    _piece AS MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN '_plain_piece' ELSE '_smoothed_piece' END)
    ),
    _of_piece AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _piece WHERE lexeme_id IS NOT NULL
    ),
    _piece_weight AS MATERIALIZED (
        FROM _store.weights_of('_of_piece', weights, scheme, options)
    ),
    _weight AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN '_own_weight' ELSE '_piece_weight' END)
    ),
    -- A row: a node by the moves that are made from it. Offsets move nodes, not features, and many words alike: each distinct
    -- path is rewritten once for each distinct list of moves.
    _moved AS MATERIALIZED (
        SELECT node.moves, node.path_id, node.path_text,
            _store.moved(coalesce(path.text, node.path_text), node.moves) AS path
        FROM (
            SELECT DISTINCT moving.moves, at_node.path_id, at_node.path_text
            FROM (SELECT DISTINCT lexeme_id, moves FROM _piece) AS moving
            JOIN (SELECT DISTINCT lexeme_id, path_id, path_text FROM _weight) AS at_node USING (lexeme_id)
        ) AS node
        LEFT JOIN _store.path ON path.id = node.path_id
    ),
    -- A row: a path of the composed APTs, numbered so that features are merged by number.
    _path AS MATERIALIZED (
        SELECT path, row_number() OVER () AS number FROM (SELECT DISTINCT path FROM _moved WHERE path IS NOT NULL)
    ),
    -- A row: a feature of a body, moved.
    _piece_feature AS NOT MATERIALIZED (
        SELECT _piece.body, _path.number, _weight.context_id, _weight.context_text,
            _weight.weight * _piece.factor AS weight
        FROM _piece
        JOIN _weight ON _weight.lexeme_id = _piece.lexeme_id
        JOIN _moved
            ON _moved.moves = _piece.moves
            AND _moved.path_id IS NOT DISTINCT FROM _weight.path_id
            AND _moved.path_text IS NOT DISTINCT FROM _weight.path_text
        JOIN _path ON _path.path = _moved.path
    ),
    _smoothed_feature AS NOT MATERIALIZED (
        SELECT body, number, context_id, context_text, sum(weight) AS weight
        FROM _piece_feature
        GROUP BY body, number, context_id, context_text
    ),
    _body_feature AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN smooth = 'none' THEN '_piece_feature' ELSE '_smoothed_feature' END)
    ),
    -- A row: a feature of a word of a question.
    _word_feature AS NOT MATERIALIZED (
        SELECT placed.question, placed.position, _body_feature.number, _body_feature.context_id,
            _body_feature.context_text, _body_feature.weight
        FROM (
            SELECT _moving.question, _moving.position, _body.body
            FROM _moving
            JOIN _body
                ON _body.lexeme_id IS NOT DISTINCT FROM _moving.lexeme_id AND _body.moves = _moving.moves
                AND _body.delta = _moving.delta AND _body.root_pos IS NOT DISTINCT FROM _moving.root_pos
                AND _body.root IS NOT DISTINCT FROM _moving.root
        ) AS placed
        JOIN _body_feature ON _body_feature.body = placed.body
    ),
    _merged_at_once AS NOT MATERIALIZED (
        FROM _store.merged_at_once('_word_feature', '_size', merge)
    ),
    _merged_in_order AS NOT MATERIALIZED (
        FROM _store.merged_in_order('_word_feature', '_present', merge)
    ),
    -- A row: a feature of a question, merged.
    _merged AS NOT MATERIALIZED (
        FROM query_table(CASE strategy WHEN 'one-step' THEN '_merged_at_once' ELSE '_merged_in_order' END)
    ),
    _feature AS NOT MATERIALIZED (
        SELECT _merged.question, _path.path, _merged.context_id, _merged.context_text, _merged.weight
        FROM _merged
        JOIN _path ON _path.number = _merged.number
        WHERE _merged.weight <> 0
    ),
    _internal AS NOT MATERIALIZED (
        FROM _store.internal_node(questions, aligned)
    ),
    _internal_feature AS NOT MATERIALIZED (
        SELECT _feature.* FROM _feature SEMI JOIN _internal USING (question, path)
    ),
    _external_feature AS NOT MATERIALIZED (
        SELECT _feature.* FROM _feature ANTI JOIN _internal USING (question, path)
    )
    SELECT kept.question, kept.path, kept.context_id, kept.context_text, kept.weight
    FROM query_table(
        CASE nodes WHEN 'internal' THEN '_internal_feature' WHEN 'external' THEN '_external_feature' ELSE '_feature' END
    ) AS kept
    WHERE (SELECT _store.check_bare((SELECT name FROM _bare)))
        AND (SELECT _store.check_root_of(questions, aligned, smooth))
);
