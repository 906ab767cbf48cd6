-- How the words of a phrase are brought together: each word's APT makes its moves, one offset after the other, so that what
-- one of them drops stays dropped. The words are those of the relation named (question, position, lexeme_id, delta, back),
-- back being the way from the root's word to the anchor.

-- A row: a word with its moves, and those of what is at the root's word already: there at once, and on to the anchor.
CREATE OR REPLACE MACRO _store.moving_at_once(words) AS TABLE (
    SELECT question, position, lexeme_id, delta, list_filter([delta, back], lambda move: move <> '') AS moves,
        list_filter([back], lambda move: move <> '') AS from_root
    FROM query_table(words)
);

-- A row: the same, word by word: what has been merged goes on to each next word, from the last to the root's, and to the
-- anchor.
CREATE OR REPLACE MACRO _store.moving_left_to_right(words) AS TABLE (
    WITH _step AS (
        SELECT question, position, lexeme_id, delta, back,
            lead(delta) OVER (PARTITION BY question ORDER BY position) AS next_delta
        FROM query_table(words)
    ),
    -- A row: a word and the way to the next; from the last one, to the root's.
    _way AS (
        SELECT question, position, lexeme_id, delta, back, CASE
            WHEN next_delta IS NULL THEN delta
            ELSE coalesce(
                path_offset(path_inverse(next_delta), path_inverse(delta)),
                error(
                    'no path from the word at ' || delta || ' to the next, at ' || next_delta
                    || '; left-to-right takes the words of one tree, or choose one-step'
                )
            )
        END AS way
        FROM _step
    ),
    _walk AS (
        SELECT question, position, lexeme_id, delta, list_append(
            list(way) OVER (
                PARTITION BY question ORDER BY position ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
            ), back
        ) AS moves
        FROM _way
    )
    SELECT question, position, lexeme_id, delta, list_filter(moves, lambda move: move <> '') AS moves,
        list_filter(list_prepend(path_inverse(delta), moves), lambda move: move <> '') AS from_root
    FROM _walk
);

-- Where a node gets to by its moves; NULL where one of them drops it.
CREATE OR REPLACE MACRO _store.moved(path, moves) AS
    CASE
        WHEN len(moves) = 0 THEN path
        ELSE list_reduce(list_prepend(path, moves), lambda so_far, move: path_offset(so_far, move))
    END;
