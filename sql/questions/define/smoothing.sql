-- Smoothing by distributional inference (Kober et al. 2016) and offset inference (Kober et al. 2017): an APT is
-- enriched with those of its nearest neighbours, w' = n·w + Σ neighbours, before it is composed. The neighbours are
-- those that `neighbours` gives by default, under the same weights; of all that a lexeme is counted at, also where the
-- occurrences of a phrase are taken out of it.

-- A row: what neighbours are sought for: a lexeme, for offset inference also by the way it is moved before, the part of
-- speech of the root's word (and, where phi asks for it, that word). What has not moved is no neighbour of itself.
CREATE OR REPLACE MACRO _store.smoothing_target(moved_apts, smooth, subcorpus) AS TABLE (
    WITH _unmoved AS (
        SELECT DISTINCT word.lexeme_id, '' AS delta, word.part_of_speech, word.text AS anchored
        FROM query_table(moved_apts) AS moved
        JOIN _store.lexeme_pos(subcorpus) AS word ON word.lexeme_id = _store.counted_id(moved.lexeme_id)
        WHERE _store.smooth_method(smooth) <> 'offset' OR moved.delta = ''
    ),
    _moved AS (
        SELECT DISTINCT _store.counted_id(moved.lexeme_id) AS lexeme_id, moved.delta, moved.root_pos, moved.root
        FROM query_table(moved_apts) AS moved
        WHERE _store.smooth_method(smooth) = 'offset' AND moved.delta <> '' AND moved.lexeme_id > 0
    ),
    _target AS (FROM _unmoved UNION ALL FROM _moved)
    SELECT row_number() OVER () AS question, _target.lexeme_id, _target.delta, _target.part_of_speech, _target.anchored,
        pos.pos_id, CASE WHEN _target.delta = '' THEN _target.lexeme_id END AS itself
    FROM _target
    LEFT JOIN _store.pos(subcorpus) AS pos ON pos.part_of_speech IS NOT DISTINCT FROM _target.part_of_speech
);

-- A row: one of the nearest neighbours of a target of the relation named (as _store.smoothing_target has them).
CREATE OR REPLACE MACRO _store.smoothing_neighbour(targets, weights, @own_options@, smooth) AS TABLE (
    WITH _anchored AS (
        SELECT target.question, known.id AS lexeme_id
        FROM query_table(targets) AS target
        JOIN _store.names(@held_subcorpus@) AS known ON known.text = target.anchored
    ),
    _weight AS MATERIALIZED (FROM _store.weights_of(targets, false, weights, _store.scheme(weights), @own_options@)),
    -- A row: a node, and where it moves to.
    _moved AS (
        SELECT node.delta, node.path_id, node.path_text, CASE
            WHEN node.delta = '' THEN coalesce(path.text, node.path_text)
            ELSE path_offset(coalesce(path.text, node.path_text), node.delta)
        END AS path
        FROM (
            SELECT DISTINCT target.delta, _weight.path_id, _weight.path_text
            FROM query_table(targets) AS target
            JOIN _weight ON _weight.lexeme_id = target.lexeme_id
        ) AS node
        LEFT JOIN _store.path ON path.id = node.path_id
    ),
    -- A row: one feature of what neighbours are sought for, moved where it is to be.
    _apt AS MATERIALIZED (
        SELECT target.question, _moved.path, _weight.context_id, _weight.context_text, _weight.weight
        FROM query_table(targets) AS target
        JOIN _weight ON _weight.lexeme_id = target.lexeme_id
        JOIN _moved
            ON _moved.delta = target.delta AND _moved.path_id IS NOT DISTINCT FROM _weight.path_id
            AND _moved.path_text IS NOT DISTINCT FROM _weight.path_text
        WHERE _moved.path IS NOT NULL
    ),
    _vector AS MATERIALIZED (
        FROM _store.apt_vectors(
            '_apt', '_anchored', weights, _store.phi(NULL, weights), @held_subcorpus@,
            @held_counts@
        )
    ),
    _near AS (
        FROM _store.ranked(
            targets, '_vector', true, {
                'top': CASE WHEN _store.smooth_method(smooth) = 'window' THEN NULL ELSE _store.smooth_size(smooth) END,
                'pos': 'same',
                'min_frequency': NULL
            }, weights, @own_options@, _store.phi(NULL, weights),
            {'among': 'lexemes', 'nodes': 'all', 'measure': 'cosine'}
        )
    ),
    -- A row: a neighbour, and the similarity of the nearest. A window is wider than the distance of that by a share of
    -- it.
    _beside_nearest AS (
        SELECT question, lexeme_id, similarity, max(similarity) OVER (PARTITION BY question) AS nearest
        FROM _near
    )
    SELECT question, lexeme_id
    FROM _beside_nearest
    WHERE _store.smooth_method(smooth) <> 'window'
        OR round(1 - similarity, 12) <= round((1 + _store.smooth_size(smooth)) * (1 - nearest), 12)
);

-- A row: a lexeme whose weights go into a moved APT of the relation named (moved_apt, lexeme_id, delta, root_pos, root,
-- offsets, offsets_from_root), by its offsets and how often it counts: the moved lexeme itself, and its neighbours. A
-- neighbour of what was moved to the root's word is there already, and moves on from there.
CREATE OR REPLACE MACRO _store.smoothed_contributor(
    moved_apts, weights, @own_options@, smooth, alpha, found_neighbours
) AS TABLE (
    WITH _target AS MATERIALIZED (FROM _store.smoothing_target(moved_apts, smooth, @held_subcorpus@)),
    _found_here AS NOT MATERIALIZED (FROM _store.smoothing_neighbour('_target', weights, @own_options@, smooth)),
    _found_before AS NOT MATERIALIZED (
        SELECT target.question, found.neighbour_id AS lexeme_id
        FROM _target AS target
        JOIN query_table(coalesce(found_neighbours, '_target')) AS found
            ON found.lexeme_id = target.lexeme_id AND found.delta = target.delta
            AND found.part_of_speech IS NOT DISTINCT FROM target.part_of_speech
            AND found.anchored IS NOT DISTINCT FROM target.anchored
    ),
    _taken AS MATERIALIZED (
        FROM query_table(CASE WHEN found_neighbours IS NULL THEN '_found_here' ELSE '_found_before' END)
    ),
    _count AS (SELECT question, count(*) AS neighbours FROM _taken GROUP BY question),
    -- A row: a moved APT, which of the targets it is, and how often it counts where nothing is said. An entry is none
    -- of them: it stays as it was composed.
    _sought AS MATERIALIZED (
        SELECT moved.moved_apt, moved.lexeme_id, moved.offsets, moved.offsets_from_root, moved.delta,
            target.question, CASE
            WHEN _store.smooth_method(smooth) = 'window' THEN coalesce(_count.neighbours, 1)
            ELSE _store.smooth_size(smooth)
        END AS n
        FROM query_table(moved_apts) AS moved
        LEFT JOIN _target AS target
            ON target.lexeme_id = _store.counted_id(moved.lexeme_id)
            AND target.delta = CASE WHEN _store.smooth_method(smooth) = 'offset' THEN moved.delta ELSE '' END
            AND (
                target.delta = '' OR (
                    target.part_of_speech IS NOT DISTINCT FROM moved.root_pos
                    AND target.anchored IS NOT DISTINCT FROM moved.root
                )
            )
        LEFT JOIN _count ON _count.question = target.question
    )
    SELECT moved_apt, lexeme_id, offsets,
        CASE WHEN question IS NULL THEN 1 ELSE coalesce(alpha, n) END::DOUBLE AS factor
    FROM _sought
    UNION ALL
    SELECT _sought.moved_apt, _taken.lexeme_id,
        CASE
            WHEN _store.smooth_method(smooth) = 'offset' AND _sought.delta <> '' THEN _sought.offsets_from_root
            ELSE _sought.offsets
        END,
        1
    FROM _sought
    JOIN _taken ON _taken.question = _sought.question
);
