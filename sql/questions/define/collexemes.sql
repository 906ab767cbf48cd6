-- Collostructions: which words a slot of a construction attracts (Stefanowitsch and Gries 2003).

-- The pattern of one of the nodes of another alone, with its tests; of any token where there is no such node.
CREATE OR REPLACE MACRO _store.pattern_of_slot(asked, wanted) AS
    '{"nodes": [' || coalesce(list_filter(
        json_extract(coalesce(asked::VARCHAR, '{}'), '$.nodes[*]'),
        lambda each: json_extract_string(each, '$.name') = wanted
    )[1]::VARCHAR, '{"name": "1", "tests": []}') || ']}';

-- A row: a token that is in a slot of some match of a pattern, as a match of its own: once, however many matches have
-- it. wanted: the name of the slot.
CREATE OR REPLACE MACRO _store.token_in_slot(asked, wanted, subcorpus) AS TABLE (
    WITH _own AS MATERIALIZED (SELECT min(slot) AS slot FROM _store.named_node(asked) AS own WHERE own.name = wanted),
    _token AS (
        SELECT DISTINCT met.sentence_id, met.found[_own.slot]['position'] AS position,
            met.found[_own.slot]['word_id'] AS word_id, met.found[_own.slot]['relation_id'] AS relation_id
        FROM _store.numbered_match(asked, subcorpus) AS met, _own
    )
    SELECT row_number() OVER () AS match, sentence_id, NULL::INTEGER AS position, NULL::INTEGER AS last_position, [{
            'position': position, 'word_id': word_id, 'relation_id': relation_id
        }] AS found
    FROM _token
    WHERE position IS NOT NULL
);

-- A row: what a token is of the relation named, which has them in slot 1, by the only part of an item, and how often.
CREATE OR REPLACE MACRO _store.counted_in_slot(tokens, parts, items) AS TABLE (
    WITH _name AS NOT MATERIALIZED (SELECT 1 AS slot, name FROM query_table(parts)),
    _alike AS MATERIALIZED (
        SELECT ids, count(*) AS count
        FROM _store.match_with_ids(tokens, parts, '_name', items, false)
        GROUP BY ids
    )
    SELECT _value.said[1] AS item, sum(_alike.count)::BIGINT AS count
    FROM _alike
    JOIN _store.values_of_ids('_alike', parts) AS _value ON _value.ids = _alike.ids
    GROUP BY _value.said[1]
);

-- One row: how many tokens all items of the relation named have in the slot (inside) and elsewhere (outside).
CREATE OR REPLACE MACRO _store.counted_in_all(counted, is_compared) AS TABLE (
    SELECT sum(count)::BIGINT AS inside, sum(other_count)::BIGINT AS outside, is_compared AS has_sides
    FROM query_table(counted)
);

-- Whether a slot has more of an item than by chance; counted: its counts; whole: those of all.
CREATE OR REPLACE MACRO _store.is_attracted(counted, whole) AS
    _store.surplus(
        counted['count'], counted['count'] + counted['other_count'], whole['inside'],
        whole['inside'] + whole['outside']
    ) > 0;

-- True where collexemes can be told; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_collexemes(
    pattern, slot, against, names, other_names, min_count, top, subcorpus
) AS
    CASE
        @collexemes_checks@
        WHEN _store.pattern_asked(pattern) IS NULL OR (against IS NOT NULL AND _store.pattern_asked(against) IS NULL)
            THEN error('a construction is a pattern; expected pattern(''{…}''), as meaning.md 7.9 has it')
        WHEN NOT _store.bounded_pattern(_store.pattern_asked(pattern)) THEN false
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN len(_store.split_grouping(slot)) <> 1 OR _store.groups_by_match(slot)
            THEN error('a slot is one token of the construction, as V.lemma; here it is ' || slot)
        WHEN NOT _store.check_token_parts(slot, names, _store.sort_asked(pattern)) THEN false
        WHEN _store.pattern_asked(against) IS NULL THEN true
        ELSE _store.check_token_parts(slot, other_names, _store.sort_asked(against))
    END;

-- The logarithm of the odds ratio of a 2×2 table; where a count is 0, ½ is added to all four (Haldane and Anscombe).
-- NULL where there is nothing to compare with.
CREATE OR REPLACE MACRO _store.log_odds(a, b, c, d) AS
    CASE
        WHEN c + d = 0 OR b + d = 0 OR a + c = 0 THEN NULL
        WHEN least(a, b, c, d) > 0 THEN ln(a::DOUBLE * d / (b::DOUBLE * c))
        ELSE ln((a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5)))
    END;

-- A row: a value of the slot of a construction (V.lemma: the lemmas of the node V of the pattern), how many of its
-- tokens fill the slot (count), how many others pass the tests of the slot (other_count), the expected count, and how
-- strongly the slot attracts it: G² of the table of both, the logarithm of the odds ratio (below 0: repelled), p and q
-- of G², and ΔP in both directions: of the construction given the word, and of the word given the construction.
-- Attracted values come first, the surest first. against: another construction with a slot of the same name;
-- other_count is then the count in its slot, rows are distinctive collexemes of the one or the other, and top is the
-- number shown of each. A token counts once, however many matches have it. min_count: the least count in both
-- constructions together.
-- Columns: item VARCHAR, count BIGINT, other_count BIGINT, expected DOUBLE, g2 DOUBLE, log_odds DOUBLE, p_value DOUBLE,
-- q_value DOUBLE, delta_p_construction DOUBLE, delta_p_word DOUBLE
-- Example: FROM collexemes(pattern('{"nodes": [{"name": "N", "tests": []}]}'), 'N.upos', top := 3)
CREATE OR REPLACE MACRO collexemes(pattern, slot VARCHAR, against := NULL, @parameters_of_collexemes@) AS TABLE (
    WITH _name AS NOT MATERIALIZED (FROM _store.name_of_token(pattern, NULL, NULL)),
    _other_name AS NOT MATERIALIZED (FROM _store.name_of_token(against, NULL, NULL)),
    _part AS MATERIALIZED (
        FROM _store.part_of_item(slot)
        WHERE _store.admitted('@stamp@', _store.check_collexemes(
            pattern, slot, against, '_name', '_other_name', min_count, top, subcorpus
        ))
    ),
    _in_slot AS NOT MATERIALIZED (
        FROM _store.token_in_slot(_store.pattern_asked(pattern), split_part(trim(slot), '.', 1), subcorpus)
    ),
    _elsewhere AS NOT MATERIALIZED (
        FROM _store.token_in_slot(
            coalesce(
                _store.pattern_asked(against),
                _store.pattern_of_slot(_store.pattern_asked(pattern), split_part(trim(slot), '.', 1))
            ), split_part(trim(slot), '.', 1), subcorpus
        )
    ),
    _counted AS MATERIALIZED (
        SELECT coalesce(own.item, other.item) AS item, coalesce(own.count, 0) AS count, coalesce(other.count, 0)
            - CASE WHEN _store.pattern_asked(against) IS NULL THEN coalesce(own.count, 0) ELSE 0 END AS other_count
        FROM _store.counted_in_slot('_in_slot', '_part', slot) AS own
        FULL JOIN _store.counted_in_slot('_elsewhere', '_part', slot) AS other ON other.item = own.item
    ),
    _all AS MATERIALIZED (FROM _store.counted_in_all('_counted', against IS NOT NULL)),
    _pair AS MATERIALIZED (
        SELECT own.count AS count_a, own.other_count AS count_b, count(*)::DOUBLE AS items, abs(_store.log_likelihood(
                own.count, own.count + own.other_count, _all.inside, _all.inside + _all.outside, _store.surplus(
                    own.count, own.count + own.other_count, _all.inside, _all.inside + _all.outside
                )
            )) AS g2, true AS is_tested
        FROM _counted AS own, _all
        WHERE CASE WHEN _store.pattern_asked(against) IS NULL THEN own.count ELSE own.count + own.other_count END
            >= min_count
        GROUP BY own.count, own.other_count, _all.inside, _all.outside
    )
    SELECT own.item, own.count, own.other_count,
        (own.count + own.other_count) * (_all.inside / (_all.inside + _all.outside)) AS expected, found.g2,
        _store.log_odds(
            own.count, own.other_count, _all.inside - own.count, _all.outside - own.other_count
        ) AS log_odds,
        found.p_value, found.q_value, own.count / (own.count + own.other_count) - (_all.inside - own.count) / nullif(
            _all.inside + _all.outside - own.count - own.other_count, 0
        ) AS delta_p_construction,
        own.count / nullif(_all.inside, 0) - own.other_count / nullif(_all.outside, 0) AS delta_p_word
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('collexemes', row(pattern, slot, against, @given_to_collexemes@)) AS _constants
    CROSS JOIN _all
    CROSS JOIN _counted AS own
    CROSS JOIN LATERAL (SELECT _store.is_attracted(own, _all) AS attracted) AS _side
    JOIN _store.discovered('_pair') AS found ON found.count_a = own.count AND found.count_b = own.other_count
    QUALIFY row_number() OVER (
        PARTITION BY _all.has_sides AND NOT attracted
        ORDER BY attracted DESC, found.g2 DESC, own.count DESC, own.item ASC
    ) <= coalesce(top, 9223372036854775807)
    ORDER BY attracted DESC, found.g2 DESC, own.count DESC, own.item ASC
);
