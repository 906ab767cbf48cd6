-- What is typical of one subcorpus beside another, of words, phrases and sequences that are asked for.

-- True where a phrase can be compared in two subcorpora; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_phrase_keyness(phrase, a, b, overlap, dispersion, documents, other) AS
    CASE
        WHEN phrase IS NULL THEN error('phrase is NULL; expected a lexeme, a pattern, a phrase, or cql(…)')
        ELSE _store.check_key_values('lexemes', false, 1, overlap, dispersion, NULL, 'direct', NULL)
            AND _store.check_sides(a, b, other, overlap, _store.check_items(
                a, b, other, 'lexemes', 'direct', documents, NULL, NULL
            ))
    END;

-- A row: a hit (a relation with sentence_id) in one of the two sides of a comparison: in a, or in b or the
-- rest without what is in a too.
CREATE OR REPLACE MACRO _store.side_hit(hits, a, b) AS TABLE (
    WITH _a AS MATERIALIZED (
        SELECT sentence_id FROM _store.subcorpus_sentence WHERE subcorpus_id = _store.subcorpus_id(a)
    ),
    _b AS MATERIALIZED (
        SELECT sentence_id FROM _store.subcorpus_sentence WHERE subcorpus_id = _store.subcorpus_id(b)
    )
    SELECT hit.*, true AS in_a
    FROM query_table(hits) AS hit
    SEMI JOIN _a ON _a.sentence_id = hit.sentence_id
    UNION ALL
    SELECT hit.*, false
    FROM query_table(hits) AS hit
    ANTI JOIN _a ON _a.sentence_id = hit.sentence_id
    WHERE b IS NULL OR hit.sentence_id IN (FROM _b)
);

-- One row: what phrase_keyness gives. other: an attached lexicon in place of b, which has the phrase count_there times
-- (its sentences are not read here); then a may be NULL, for all of this one.
CREATE OR REPLACE MACRO _store.key_phrase(phrase, a, b, overlap, dispersion, documents, other, count_there) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.asked(_store.text_asked(phrase), NULL, NULL)
        WHERE (SELECT _store.check_phrase_keyness(phrase, a, b, overlap, dispersion, documents, other))
    ),
    _found AS MATERIALIZED (FROM _store.hit_asked('_asked', phrase, NULL, NULL, NULL, 'direct')),
    _of_side AS NOT MATERIALIZED (FROM _store.side_hit('_found', a, b)),
    _of_all AS NOT MATERIALIZED (SELECT *, true AS in_a FROM _found),
    _hit AS MATERIALIZED (FROM query_table(CASE WHEN a IS NULL THEN '_of_all' ELSE '_of_side' END)),
    _compared AS MATERIALIZED (
        SELECT count(*) FILTER (in_a) AS count_a,
            CASE WHEN other IS NULL THEN count(*) FILTER (NOT in_a) ELSE count_there END AS count_b
        FROM _hit
    ),
    _hit_in_a AS NOT MATERIALIZED (SELECT 1 AS place, sentence_id FROM _hit WHERE in_a),
    _dispersed AS NOT MATERIALIZED (FROM _store.dispersion_of_hits('_hit_in_a', a, documents)),
    _without AS NOT MATERIALIZED (
        SELECT 1 AS place, NULL::BIGINT AS documents, NULL::DOUBLE AS dp WHERE false
    )
    SELECT found.count_a, found.count_b, found.per_million_a, found.per_million_b, found.g2, found.log_ratio,
        found.p_value, found.q_value, CASE WHEN dispersion THEN coalesce(spread.documents, 0) END AS documents_a,
        spread.dp AS dp_a
    FROM _store.keyness_of(
        '_compared', (SELECT tokens FROM _store.tokens_in(a)), (SELECT tokens FROM _store.beside(a, b, other)), 0
    ) AS found
    LEFT JOIN query_table(CASE WHEN dispersion THEN '_dispersed' ELSE '_without' END) AS spread ON true
    WHERE (SELECT count(*) FROM _asked) > 0
);

-- One row: how often a phrase occurs in the subcorpora a and b, or in a and in all the rest, and how typical it is of
-- one of them, in the columns of keyness. phrase: a lexeme, a pattern or a form, as evidence takes it; a phrase as apt
-- takes it, counted by its head with the other words directly below it; or cql(…), which counts each stretch that
-- matches. overlap, dispersion and documents are as in keyness.
-- Columns: count_a BIGINT, count_b BIGINT, per_million_a DOUBLE, per_million_b DOUBLE, g2 DOUBLE, log_ratio DOUBLE,
-- p_value DOUBLE, q_value DOUBLE, documents_a BIGINT, dp_a DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'phrase_keyness'
CREATE OR REPLACE MACRO phrase_keyness(phrase, a, b := NULL, @parameters_of_phrase_keyness@) AS TABLE (
    SELECT answer.*
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('phrase_keyness', row(phrase, a, b, @given_to_phrase_keyness@)) AS _constants
    CROSS JOIN _store.key_phrase(phrase, a, b, overlap, dispersion, documents, NULL, NULL) AS answer
    WHERE _store.admitted('@stamp@', true)
);
