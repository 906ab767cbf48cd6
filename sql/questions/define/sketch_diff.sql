-- Two word sketches side by side: of two lexemes, or of one in two subcorpora.

-- True where two sketches can be told apart; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_pair_of_sketches(a, b, subcorpus, subcorpus_b) AS
    CASE
        WHEN a = b AND coalesce(subcorpus_b, subcorpus) IS NOT DISTINCT FROM subcorpus THEN error(
            'a and b are both ' || a || '; compare with another lexeme, or name another subcorpus as subcorpus_b'
        )
        ELSE true
    END;

-- A row: a collocate of either of two relations, with what it has in both: counts, 0 where it is not met, and scores,
-- NULL there; frequency, the larger; and what it tells of both. The two lexemes count as one, 0.
CREATE OR REPLACE MACRO _store.paired_collocate(in_a, in_b) AS TABLE (
    SELECT 0 AS lexeme_id, path_id, path, context_id, context, coalesce(one.count, 0) AS count_a,
        coalesce(other.count, 0) AS count_b, one.score AS score_a, other.score AS score_b,
        greatest(one.frequency, other.frequency) AS frequency,
        greatest(one.count, other.count) AS count, greatest(one.score, other.score) AS score,
        coalesce(one.told, 0) + coalesce(other.told, 0) AS told, CASE
            WHEN other.count IS NULL THEN 'a'
            WHEN one.count IS NULL THEN 'b'
            ELSE 'both'
        END AS meets
    FROM query_table(in_a) AS one
    FULL JOIN query_table(in_b) AS other USING (path_id, path, context_id, context)
);

-- A row: a collocate of one of two lexemes along a path, or of both, with the path in words; meets: which of them has
-- it (a, both or b); the count and the score for each, NULL if it has none. Without b, the lexeme is compared with
-- itself in another subcorpus (subcorpus_b). Paths come as in sketch, the strongest of both first. Along each path come
-- the collocates of a only, those of both, from typical of a to typical of b, and those of b only; of each of the
-- three, those with the highest scores.
-- Columns: path VARCHAR, relation VARCHAR, meets VARCHAR, context VARCHAR, count_a BIGINT, count_b BIGINT, score_a
-- DOUBLE, score_b DOUBLE
-- Example: FROM sketch_diff('shoot/NOUN', 'leaf/NOUN', top := 1, top_relations := 4)
CREATE OR REPLACE MACRO sketch_diff(a VARCHAR, b VARCHAR := NULL, @parameters_of_sketch_diff@) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.lexeme_asked(_store.sketched(a), subcorpus)
        WHERE _store.admitted('@stamp@', _store.check_showing(
                max_order, top, top_relations, min_count, score, everything, false, counts
            )
            AND _store.check_sketch(_store.sketched(a), @relations@, max_order, min_count, subcorpus, counts)
            AND _store.check_subcorpus(subcorpus_b)
            AND _store.check_pair_of_sketches(
                _store.sketched(a), coalesce(_store.sketched(b), a), subcorpus, subcorpus_b
            )
            AND _store.check_named(@relations@, max_order, NULL))
    ),
    _asked_b AS MATERIALIZED (
        FROM _store.lexeme_asked(coalesce(_store.sketched(b), a), coalesce(subcorpus_b, subcorpus))
        WHERE (SELECT _store.check_sketch(
            coalesce(_store.sketched(b), a), @relations@, max_order, min_count, coalesce(subcorpus_b, subcorpus), counts
        ))
    ),
    _along AS MATERIALIZED (FROM _store.path_to_look(@relations@, max_order, everything, NULL)),
    _in_a AS MATERIALIZED (
        FROM _store.collocate('_asked', '_along', everything, _store.score_of(score), @sketch_options_a@)
    ),
    _in_b AS MATERIALIZED (
        FROM _store.collocate('_asked_b', '_along', everything, _store.score_of(score), @sketch_options_b@)
    ),
    _both AS MATERIALIZED (FROM _store.paired_collocate('_in_a', '_in_b')),
    _placed AS MATERIALIZED (
        SELECT *, row_number() OVER (PARTITION BY path_id, meets ORDER BY place ASC) AS place_of_kind
        FROM _store.placed_collocate('_both', _store.least_count(min_count))
        WHERE path_place <= coalesce(top_relations, path_place)
    ),
    _word AS (
        SELECT one.lemma || coalesce('/' || nullif(other.lemma, one.lemma), '') AS lemmas
        FROM (SELECT known.lemma FROM _store.lexeme AS known SEMI JOIN _asked ON _asked.w_id = known.id) AS one
        CROSS JOIN
            (SELECT known.lemma FROM _store.lexeme AS known SEMI JOIN _asked_b ON _asked_b.w_id = known.id) AS other
    ),
    _said AS MATERIALIZED (FROM _store.paths_in_words('_placed', (SELECT lemmas FROM _word)))
    SELECT _placed.path, _said.relation, _placed.meets, _placed.context, _placed.count_a, _placed.count_b,
        _placed.score_a, _placed.score_b
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('sketch_diff', row(a, b, @given_to_sketch_diff@)) AS _constants
    CROSS JOIN _placed
    JOIN _said ON _said.path = _placed.path
    WHERE _placed.place_of_kind <= coalesce(top, _placed.place_of_kind)
    ORDER BY _placed.path_place ASC, array_position(['a', 'both', 'b'], _placed.meets) ASC,
        round(_placed.score_a - _placed.score_b, 12) DESC, _placed.place ASC
);
