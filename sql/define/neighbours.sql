-- The fewest tokens a neighbour must have where nothing is said: one per 25,000 tokens of the lexicon, at least 1, at
-- most 50.
CREATE OR REPLACE MACRO _store.default_min_frequency() AS (
    SELECT greatest(1, least(50, coalesce(sum(corpus.tokens), 0) // 25000)) FROM _store.corpus
);

-- True where the neighbours asked for can be told; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_neighbours(phrase, anchor, tag, fewest) AS
    CASE
        WHEN NOT _store.check_phrase(phrase, anchor) THEN false
        WHEN tag IS NULL THEN error('pos is NULL; it is same, any or a tag')
        WHEN fewest < 0 THEN error('min_frequency is ' || fewest || '; it is 0 or more')
        WHEN tag = 'same' AND _store.anchored_word(phrase, anchor) IS NULL THEN error(
            'no word of the phrase is its root (delta ''''), so pos cannot be the same; name a tag, or any'
        )
        ELSE true
    END;

-- A row: a lexeme near a vector, and its similarity, best first. The vector is a relation named, of path_id, context_id
-- and value; word is the lexeme that it is anchored at. A lexeme that shares no feature with it, or more against it than
-- for it, is no neighbour.
CREATE OR REPLACE MACRO _store.nearest(vector, word, itself, top, tag, fewest, weights, options, phi) AS TABLE (
    -- A row: a lexeme that may be a neighbour.
    WITH _candidate AS MATERIALIZED (
        SELECT lexeme.id AS lexeme_id
        FROM _store.lexeme
        WHERE lexeme.frequency >= coalesce(fewest, _store.default_min_frequency())
            AND lexeme.text IS DISTINCT FROM itself
            AND CASE tag
                WHEN 'any' THEN true
                WHEN 'same' THEN lexeme.pos IS NOT DISTINCT FROM (
                    SELECT anchored.pos FROM _store.lexeme AS anchored WHERE anchored.text = word
                )
                ELSE lexeme.pos = tag
            END
    ),
    _scored AS (
        SELECT candidate.lexeme_id, sum(candidate.value * _asked.value) AS dot,
            sum(candidate.value * candidate.value) AS square
        FROM _store.lexeme_vectors('_candidate', weights, options, phi) AS candidate
        LEFT JOIN query_table(vector) AS _asked
            ON _asked.path_id = candidate.path_id AND _asked.context_id = candidate.context_id
        GROUP BY candidate.lexeme_id
    )
    SELECT lexeme.text AS lexeme, _store.cosine(_scored.dot, _scored.square, _length.square) AS similarity
    FROM _scored
    CROSS JOIN (SELECT sum(_asked.value * _asked.value) AS square FROM query_table(vector) AS _asked) AS _length
    JOIN _store.lexeme ON lexeme.id = _scored.lexeme_id
    WHERE _scored.dot > 0
    -- Sums of floating-point numbers differ in their last digits from run to run; ties are those of the first twelve.
    ORDER BY round(similarity, 12) DESC, lexeme.frequency DESC, lexeme.text
    LIMIT top
);

-- A row: one of the nearest lexemes to a lexeme or phrase, and its similarity, best first; ties by frequency, then text.
CREATE OR REPLACE MACRO neighbours(
    x VARCHAR, top := 10, pos := 'same', min_frequency := NULL,
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.lexeme_vector(
            x, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    FROM _store.nearest(
        '_question', _store.anchored_word(_store.one_word(x), anchor).lexeme, x, top, pos, min_frequency, weights,
        _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
    )
    WHERE (SELECT _store.guard('@stamp@'))
        AND (SELECT _store.check_neighbours(_store.one_word(x), anchor, pos, min_frequency))
), (
    x STRUCT(lexeme VARCHAR, delta VARCHAR)[], top := 10, pos := 'same', min_frequency := NULL,
    weights := 'ppmi', merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0,
    phi := 'constant', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.phrase_vector(
            x, weights, merge, pipeline, aligned, anchor,
            _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
        )
    )
    FROM _store.nearest(
        '_question', _store.anchored_word(x, anchor).lexeme, NULL, top, pos, min_frequency, weights,
        _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), phi
    )
    WHERE (SELECT _store.guard('@stamp@'))
        AND (SELECT _store.check_neighbours(x, anchor, pos, min_frequency))
);
