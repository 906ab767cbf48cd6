-- Matches of a pattern by the values of their tokens: what is typical of one subcorpus.

-- A row: what the tokens of matches of a pattern are (as in breakdown, but of tokens alone), how often in the
-- subcorpora a and b, or in a and in all the rest, and how typical it is of one of them, in the columns that keyness
-- has: what is more frequent in a comes first, the surest of it first. min_count, overlap and top are as in keyness.
-- Columns: item VARCHAR, count_a BIGINT, count_b BIGINT, per_million_a DOUBLE, per_million_b DOUBLE, g2 DOUBLE,
-- log_ratio DOUBLE, p_value DOUBLE, q_value DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'pattern_keyness'
CREATE OR REPLACE MACRO pattern_keyness(pattern, "by" VARCHAR, a, b := NULL, @parameters_of_pattern_keyness@) AS TABLE (
    WITH _name AS NOT MATERIALIZED (FROM _store.name_of_token(pattern, NULL, NULL)),
    _part AS MATERIALIZED (FROM _store.part_of_item("by")),
    _found AS NOT MATERIALIZED (FROM _store.numbered_match(_store.pattern_asked(pattern), NULL)),
    _match AS MATERIALIZED (
        FROM _store.match_with_ids('_found', '_part', '_name', "by", _store.are_stretches(pattern))
    ),
    _value AS MATERIALIZED (FROM _store.values_of_ids('_match', '_part')),
    _hit AS NOT MATERIALIZED (FROM _store.side_hit('_match', a, b)),
    _counted AS (
        SELECT ids, count(*) FILTER (in_a) AS count_a, count(*) FILTER (NOT in_a) AS count_b FROM _hit GROUP BY ids
    ),
    _compared AS MATERIALIZED (
        SELECT array_to_string(_value.said, ' ') AS item, sum(_counted.count_a)::BIGINT AS count_a,
            sum(_counted.count_b)::BIGINT AS count_b
        FROM _counted
        JOIN _value ON _value.ids IS NOT DISTINCT FROM _counted.ids
        GROUP BY item
        HAVING sum(_counted.count_a + _counted.count_b) >= min_count
    )
    SELECT found.item, found.count_a, found.count_b, found.per_million_a, found.per_million_b, found.g2,
        found.log_ratio, found.p_value, found.q_value
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('pattern_keyness', row(pattern, "by", a, b, @given_to_pattern_keyness@)) AS _constants
    CROSS JOIN _store.keyness_of(
        '_compared', (SELECT tokens FROM _store.tokens_in(a)), (SELECT tokens FROM _store.beside(a, b, NULL)), 0
    ) AS found
    WHERE _store.admitted('@stamp@', _store.check_matches(pattern, top, NULL)
        AND _store.check_key_values('lexemes', false, min_count, overlap, false, top, 'direct', NULL)
        AND _store.check_phrase_keyness('', a, b, overlap, false, 'document', NULL)
        AND _store.check_token_parts("by", '_name', _store.sort_asked(pattern)))
    QUALIFY row_number() OVER (
        ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
    ) <= coalesce(top, 9223372036854775807)
    ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
);
