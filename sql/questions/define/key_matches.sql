-- Matches of a pattern by the values of their tokens: what is typical of one subcorpus, as terms of a field are.

-- A row: an item of those named whose words are told (item, count_a), and its C-value (Frantzi, Ananiadou and Mima
-- 2000): (1 + log₂ n) · (f − the mean f of the longer items that it is in), n being how many words it has and f
-- its count_a; with 1 + (Barrón-Cedeño and others 2009), so that single words have one too.
CREATE OR REPLACE MACRO _store.c_value(items) AS TABLE (
    WITH _item AS MATERIALIZED (
        SELECT item, string_split(item, ' ') AS words, count_a FROM query_table(items) WHERE count_a > 0
    ),
    _within AS (
        SELECT unnest(list_distinct(flatten(list_transform(range(1, len(words)), lambda size: list_transform(
                range(1, len(words) - size + 2),
                lambda start: array_to_string(words[start:start + size - 1], ' ')
            ))))) AS item, count_a
        FROM _item
    ),
    _longer AS (SELECT item, avg(count_a) AS count_a FROM _within GROUP BY item)
    SELECT _item.item, (1 + log2(len(_item.words))) * (_item.count_a - coalesce(_longer.count_a, 0)) AS c_value
    FROM _item
    LEFT JOIN _longer ON _longer.item = _item.item
);

-- A row: an item, and how often it is in the subcorpora a and b, or in a and in all the rest; or in a, or everywhere if
-- that is NULL, and in another lexicon as the relation named there has it (item, count).
CREATE OR REPLACE MACRO _store.compared_match(pattern, items, a, b, there) AS TABLE (
    WITH _name AS NOT MATERIALIZED (FROM _store.name_of_token(pattern, NULL, NULL)),
    _part AS MATERIALIZED (FROM _store.part_of_item(items)),
    _found AS NOT MATERIALIZED (FROM _store.numbered_match(_store.pattern_asked(pattern), NULL)),
    _match AS MATERIALIZED (
        FROM _store.match_with_ids('_found', '_part', '_name', items, _store.are_stretches(pattern))
    ),
    _of_side AS NOT MATERIALIZED (FROM _store.side_hit('_match', a, b)),
    _of_all AS NOT MATERIALIZED (SELECT *, true AS in_a FROM _match),
    _alike AS MATERIALIZED (
        SELECT ids, count(*) FILTER (in_a) AS count_a, count(*) FILTER (NOT in_a) AS count_b
        FROM query_table(CASE WHEN a IS NULL THEN '_of_all' ELSE '_of_side' END)
        GROUP BY ids
    ),
    _here AS NOT MATERIALIZED (
        SELECT array_to_string(_value.said, ' ') AS item, sum(_alike.count_a)::BIGINT AS count_a,
            sum(_alike.count_b)::BIGINT AS count_b
        FROM _alike
        JOIN _store.values_of_ids('_alike', '_part') AS _value ON _value.ids = _alike.ids
        GROUP BY _value.said
    ),
    _beside AS NOT MATERIALIZED (
        SELECT coalesce(_here.item, own.item) AS item, coalesce(_here.count_a, 0) AS count_a,
            coalesce(own.count, 0) AS count_b
        FROM (FROM _here WHERE count_a > 0) AS _here
        FULL JOIN query_table(coalesce(there, '_name')) AS own ON own.item = _here.item
    )
    FROM query_table(CASE WHEN there IS NULL THEN '_here' ELSE '_beside' END)
);

-- A row: what pattern_keyness gives. other: an attached lexicon in place of b, which has what there says.
CREATE OR REPLACE MACRO _store.key_match(pattern, items, a, b, given, other, there) AS TABLE (
    WITH _each AS MATERIALIZED (FROM _store.compared_match(pattern, items, a, b, there)),
    _compared AS MATERIALIZED (FROM _each WHERE count_a + count_b >= given['min_count']),
    _with_c_value AS NOT MATERIALIZED (FROM _store.c_value('_each')),
    _without AS NOT MATERIALIZED (SELECT NULL::VARCHAR AS item, NULL::DOUBLE AS c_value LIMIT 0)
    SELECT found.item, found.count_a, found.count_b, found.per_million_a, found.per_million_b, found.g2,
        found.log_ratio, found.p_value, found.q_value, own.c_value
    FROM _store.keyness_of(
        '_compared', (SELECT tokens FROM _store.tokens_in(a)), (SELECT tokens FROM _store.beside(a, b, other)), 0
    ) AS found
    LEFT JOIN query_table(
        CASE WHEN len(_store.split_grouping(items)) = 1 AND _store.groups_by_match(items) THEN '_with_c_value'
            ELSE '_without' END
    ) AS own ON own.item = found.item
    QUALIFY row_number() OVER (
        ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
    ) <= coalesce(given['top'], 9223372036854775807)
    ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
);

-- True where matches can be compared; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_key_match(pattern, items, names, a, b, given, other) AS
    _store.check_matches(pattern, given['top'], NULL)
    AND _store.check_key_values(
        'lexemes', false, given['min_count'], given['overlap'], false, given['top'], 'direct', NULL
    )
    AND _store.check_phrase_keyness('', a, b, given['overlap'], false, 'document', other)
    AND _store.check_token_parts(items, names, _store.sort_asked(pattern));

-- A row: a value of the tokens of matches of a pattern (as in breakdown, but of tokens alone), its counts in the
-- subcorpora a and b, or in a and in all the rest, and how typical it is of one of them, in the columns of keyness:
-- values that are more frequent in a come first, the surest first. min_count, overlap and top are as in keyness.
-- c_value: if items are the words of a match, as match.lemma, the C-value of the item in a as a term, low if it mostly
-- occurs within longer ones.
-- Columns: item VARCHAR, count_a BIGINT, count_b BIGINT, per_million_a DOUBLE, per_million_b DOUBLE, g2 DOUBLE,
-- log_ratio DOUBLE, p_value DOUBLE, q_value DOUBLE, c_value DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'pattern_keyness'
CREATE OR REPLACE MACRO pattern_keyness(pattern, "by" VARCHAR, a, b := NULL, @parameters_of_pattern_keyness@) AS TABLE (
    WITH _name AS NOT MATERIALIZED (FROM _store.name_of_token(pattern, NULL, NULL))
    SELECT answer.*
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('pattern_keyness', row(pattern, "by", a, b, @given_to_pattern_keyness@)) AS _constants
    CROSS JOIN _store.key_match(
        pattern, "by", a, b, {'min_count': min_count, 'top': top}, NULL, NULL
    ) AS answer
    WHERE _store.admitted('@stamp@', _store.check_key_match(
        pattern, "by", '_name', a, b, {'overlap': overlap, 'min_count': min_count, 'top': top}, NULL
    ))
);
