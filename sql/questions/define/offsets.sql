-- How the words of a phrase are brought together: each word's APT is moved along its offsets, one after the other, so
-- that what one of them drops stays dropped. The words are those of the relation named (question, position, lexeme_id,
-- delta, back), back being the path from the root's word to the anchor.

-- A row: a word with its offsets, and those of what is at the root's word already: there at once, and on to the anchor;
-- or, from left to right, word by word: what has been merged goes on to each next word, from the last to the root's,
-- and to the anchor. And what offset inference asks of the root's word: its part of speech or, for phi 'probability',
-- itself.
CREATE OR REPLACE MACRO _store.offset_word(words, questions, weights, strategy, smooth, subcorpus) AS TABLE (
    WITH _at_once AS NOT MATERIALIZED (
        SELECT question, position, lexeme_id, delta, list_filter([delta, back], lambda step: step <> '') AS offsets,
            list_filter([back], lambda step: step <> '') AS offsets_from_root
        FROM query_table(words)
    ),
    _step AS (
        SELECT question, position, lexeme_id, delta, back,
            lead(delta) OVER (PARTITION BY question ORDER BY position ASC) AS next_delta
        FROM query_table(words)
    ),
    -- A row: a word and the way to the next; from the last one, to the root's.
    _way AS (
        SELECT question, position, lexeme_id, delta, back, CASE
            WHEN next_delta IS NULL THEN delta
            ELSE coalesce(
                path_offset(path_inverse(next_delta), path_inverse(delta)),
                error(
                    'left-to-right needs the words of one tree, and no path leads from ' || delta || ' to the next, '
                    || next_delta || '; or choose one-step'
                )
            )
        END AS way
        FROM _step
    ),
    _walk AS (
        SELECT question, position, lexeme_id, delta, list_append(
            list(way) OVER (
                PARTITION BY question ORDER BY position ASC ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
            ), back
        ) AS walked
        FROM _way
    ),
    _left_to_right AS NOT MATERIALIZED (
        SELECT question, position, lexeme_id, delta, list_filter(walked, lambda step: step <> '') AS offsets,
            list_filter(list_prepend(path_inverse(delta), walked), lambda step: step <> '') AS offsets_from_root
        FROM _walk
    ),
    _by_strategy AS NOT MATERIALIZED (
        FROM query_table(CASE strategy WHEN 'one-step' THEN '_at_once' ELSE '_left_to_right' END)
    ),
    _rootless AS NOT MATERIALIZED (
        SELECT *, NULL::VARCHAR AS root_pos, NULL::VARCHAR AS root FROM _by_strategy
    ),
    _rooted AS NOT MATERIALIZED (
        SELECT _by_strategy.*, coalesce(known.part_of_speech, _store.pos_of(asked.root)) AS root_pos,
            CASE WHEN _store.phi(NULL, weights) = 'probability' THEN asked.root END AS root
        FROM _by_strategy
        JOIN query_table(questions) AS asked ON asked.question = _by_strategy.question
        LEFT JOIN _store.names(subcorpus) AS known ON known.text = asked.root
    )
    FROM query_table(CASE WHEN _store.smooth_method(smooth) = 'offset' THEN '_rooted' ELSE '_rootless' END)
);

-- The path of a node once it has moved along its offsets; NULL where one of them drops it.
CREATE OR REPLACE MACRO _store.moved(path, offsets) AS
    CASE
        WHEN len(offsets) = 0 THEN path
        ELSE list_reduce(list_prepend(path, offsets), lambda so_far, step: path_offset(so_far, step))
    END;
