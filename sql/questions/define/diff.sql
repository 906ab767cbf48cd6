-- True where lean is a ratio of weights, and per_path NULL or a number of rows that can be shown; otherwise an error.
CREATE OR REPLACE MACRO _store.check_diff(lean, per_path) AS
    CASE
        WHEN NOT coalesce(lean >= 1 AND isfinite(lean::DOUBLE), false) THEN error(
            'lean is ' || coalesce(lean::VARCHAR, 'NULL')
            || '; expected 1 or more: how many times heavier one weight must be'
        )
        WHEN per_path < 1 THEN error('per_path is ' || per_path || '; expected 1 or more')
        ELSE true
    END;

-- A row: a feature that one of the two questions named has with a weight above 0, with the weight that it has in either
-- (NULL where it is none of its own), to which it leans, the one whose weight is at least lean times the other, and its
-- place among those of its path that lean so: by the difference of the weights or, where it leans to both, by the
-- smaller of them. The second question may be asked of another subcorpus than the first (other_subcorpus).
CREATE OR REPLACE MACRO _store.differing(
    questions, sort, lean, per_path, weights, @composition_inside@, @own_options@, other_subcorpus
) AS TABLE (
    WITH _first AS MATERIALIZED (FROM query_table(questions) WHERE question = 1),
    _second AS MATERIALIZED (FROM query_table(questions) WHERE question = 2),
    _of_one AS NOT MATERIALIZED (
        FROM _store.question_apts(questions, sort, weights, @composition_inside@, @own_options@)
    ),
    _of_two AS NOT MATERIALIZED (
        FROM _store.question_apts('_first', sort, weights, @composition_inside@, @own_options@)
        UNION ALL
        FROM _store.question_apts('_second', sort, weights, @composition_inside@, @own_options_b@)
    ),
    _feature AS MATERIALIZED (
        FROM query_table(
            CASE WHEN given_subcorpus IS NOT DISTINCT FROM other_subcorpus THEN '_of_one' ELSE '_of_two' END
        )
    ),
    _beside AS (
        SELECT path, context, one.weight AS weight_a, other.weight AS weight_b,
            greatest(coalesce(one.weight, 0), 0) AS positive_a, greatest(coalesce(other.weight, 0), 0) AS positive_b
        FROM (FROM _feature WHERE question = 1) AS one
        FULL JOIN (FROM _feature WHERE question = 2) AS other USING (path, context)
    ),
    _leaning AS (
        SELECT path, CASE
                WHEN positive_a > positive_b AND positive_a >= lean * positive_b THEN 'a'
                WHEN positive_b > positive_a AND positive_b >= lean * positive_a THEN 'b'
                ELSE 'both'
            END AS leans, context, weight_a, weight_b, abs(positive_a - positive_b) AS difference,
            least(positive_a, positive_b) AS common
        FROM _beside
        WHERE positive_a > 0 OR positive_b > 0
    ),
    _placed AS (
        SELECT path, leans, context, weight_a, weight_b, row_number() OVER (
            PARTITION BY path, leans
            ORDER BY round(CASE WHEN leans = 'both' THEN common ELSE difference END, 12) DESC, context ASC
        ) AS place
        FROM _leaning
    )
    SELECT path, leans, context, weight_a, weight_b, place
    FROM _placed
    WHERE (per_path IS NULL OR place <= per_path)
        AND (SELECT _store.check_diff(lean, per_path))
        AND _store.check_asked(questions, weights, @composition_inside@, @own_options@)
);

-- A row: a context of two lexemes or phrases along a path, with both weights (NULL if only one has it), and whether it
-- is typical of a, of b, or of both: of one if its weight there is at least lean times the other. Rows are ordered by
-- path; along each come contexts of a, of both, and of b, the most typical first.
-- Columns: path VARCHAR, leans VARCHAR, context VARCHAR, weight_a DOUBLE, weight_b DOUBLE
-- Example: FROM diff('shoot/NOUN', 'leaf/NOUN', per_path := 2) LIMIT 20
CREATE OR REPLACE MACRO diff(a, b, @parameters_of_diff@) AS TABLE (
    WITH _pair AS MATERIALIZED (
        FROM _store.pair(_store.about(a, anchor), _store.about(b, coalesce(anchor_b, anchor)))
    )
    SELECT differing.path, differing.leans, differing.context, differing.weight_a, differing.weight_b
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('diff', row(a, b, @given_to_diff@)) AS _constants
    CROSS JOIN _store.differing(
        '_pair', _store.sort_of_pair(a, b), lean, per_path, weights, @composing@, @options@, @subcorpus_b@
    ) AS differing
    WHERE _store.admitted('@stamp@', @pair_admitted@)
    ORDER BY differing.path ASC, array_position(['a', 'both', 'b'], differing.leans) ASC, differing.place ASC
);
