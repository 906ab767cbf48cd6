-- Patterns: what is looked for in the trees, node by node, as JSON says it (meaning.md 7.9). A pattern has nodes, edges
-- between them, their order, values that are the same, and blocks of all these that must not be there (without).

-- Whether an expression names capitals, as [A-Z] and \p{Lu} do, and says nothing of them by (?i) or (?-i).
CREATE OR REPLACE MACRO _store.names_capitals(pattern) AS
    (
        regexp_matches(pattern, '\[[^\]]*[A-Z]-[A-Z]|\\[pP]\{\^?L[lut]\}|\[:\^?(upper|lower):\]')
        OR len(list_filter(
            regexp_extract_all(regexp_replace(pattern, '\\.', '', 'g'), '\[[^\]]*\]'),
            lambda each: len(list_filter(
                regexp_extract_all(each, '\p{Lu}'), lambda capital: NOT contains(each, lower(capital))
            )) > 0
        )) > 0
    )
    AND NOT regexp_matches(pattern, '\(\?[a-zA-Z]*-?[a-zA-Z]*i');

-- A row: a tag or relation that some word or token has, and how many have it.
CREATE OR REPLACE VIEW _store.tag AS
SELECT 'upos' AS attribute, upos AS value, count(*) AS words FROM _store.word GROUP BY upos
UNION ALL
SELECT 'xpos', xpos, count(*) FROM _store.word GROUP BY xpos
UNION ALL
SELECT 'deprel', text, 1 FROM _store.relation;

-- True where of the tags and relations in the tests named (place, attribute, pattern), no expressions, one of each
-- place is some token's; otherwise an error that names the one that is spelt nearly so or, if none is, those that most
-- words have. tags names those that there are.
CREATE OR REPLACE MACRO _store.check_tags(tests, tags) AS (
    WITH _compared AS (
        SELECT test.place, test.attribute, test.pattern, tag.value, tag.words,
            damerau_levenshtein(lower(tag.value), lower(test.pattern)) AS distance
        FROM query_table(tests) AS test
        JOIN query_table(tags) AS tag ON tag.attribute = test.attribute AND tag.value IS NOT NULL
        WHERE NOT regexp_matches(test.pattern, '[\\.*+?|()\[\]{}^$]')
    ),
    _of_none AS (
        SELECT place, attribute, pattern, bool_or(value = pattern) AS is_met,
            min_by(value, (distance, -words, value)) FILTER (
                distance * 2 < greatest(length(value), length(pattern)) AND value <> '_'
            ) AS near, list(value ORDER BY words DESC, value ASC)[:20] AS common
        FROM _compared
        GROUP BY place, attribute, pattern
        QUALIFY NOT bool_or(is_met) OVER (PARTITION BY place)
        ORDER BY place ASC, pattern ASC
        LIMIT 1
    )
    SELECT coalesce(bool_and(error(
            'no token has ' || attribute || ' ' || coalesce(nullif(pattern, ''), '""')
            || coalesce('; did you mean ' || near || '?', '; available: ' || array_to_string(common, ', ') || CASE
                WHEN len(common) = 20 THEN ', …' ELSE ''
            END)
        )::BOOLEAN), true)
    FROM _of_none
);

-- True where a pattern can be answered; otherwise an error that names the limit, or says that it is none.
CREATE OR REPLACE MACRO _store.bounded_pattern(pattern) AS
    CASE
        WHEN pattern IS NULL THEN error('expected a pattern, as pattern(''{"nodes": [{"name": "V"}]}'')')
        WHEN length(pattern) > 20000
        THEN error('the pattern has ' || length(pattern) || ' characters; at most 20000')
        WHEN regexp_matches(pattern, '\\u00[2-7]') -- (The plan is chosen by the keys, as they are written.)
        THEN error('the pattern has a letter as \u00…; write letters as they are')
        WHEN NOT json_valid(pattern) THEN error('the pattern is not JSON: ' || pattern[:60])
        WHEN coalesce(json_array_length(pattern, '$.nodes'), 0) = 0
        THEN error('the pattern has no nodes; expected JSON, as {"nodes": [{"name": "V"}]}')
        WHEN len(regexp_extract_all(pattern, '"name"\s*:')) > 60 -- (Nodes and tests are bits.)
        THEN error('the pattern has ' || len(regexp_extract_all(pattern, '"name"\s*:')) || ' nodes; at most 60')
        WHEN len(regexp_extract_all(pattern, '"(attribute|relation)"\s*:')) > 60 THEN error(
            'the pattern has ' || len(regexp_extract_all(pattern, '"(attribute|relation)"\s*:'))
            || ' tests and relations; at most 60'
        )
        ELSE true
    END;

-- A pattern of trees or of sequences, for the lexeme of evidence or counts_by, or for matches: JSON with nodes, edges,
-- order, same and without; or with nodes, same and sequence. A node has a name, and lists of tests: of each list one
-- must hold.
-- Example: FROM matches(pattern('{"nodes": [{"name": "N", "tests": []}]}'), top := 3)
CREATE OR REPLACE MACRO pattern(json VARCHAR) AS
    {'pattern': CASE WHEN @in_use@ AND _store.bounded_pattern(json) THEN json END};

-- A row: the pattern itself (block 0), or a block that must not be there. shared: its nodes may be tokens of the match.
CREATE OR REPLACE MACRO _store.pattern_block(pattern) AS TABLE (
    WITH _whole AS MATERIALIZED (
        SELECT from_json(pattern, replace('{BLOCK, "without": [{BLOCK}]}', 'BLOCK', '
            "nodes": [{
                "name": "VARCHAR", "tests": [[{
                    "attribute": "VARCHAR", "value": "VARCHAR", "not": "BOOLEAN", "accents": "BOOLEAN"
                }]]
            }],
            "edges": [{
                "head": "VARCHAR", "dependent": "VARCHAR", "relation": "VARCHAR", "not": "BOOLEAN",
                "enhanced": "BOOLEAN"
            }],
            "order": [{"first": "VARCHAR", "then": "VARCHAR", "next": "BOOLEAN"}],
            "same": [{"left": "VARCHAR", "right": "VARCHAR", "not": "BOOLEAN"}], "shared": "BOOLEAN"
        ')) AS read
    )
    SELECT 0 AS block, read['nodes'] AS nodes, read['edges'] AS edges, read['order'] AS orders, read['same'] AS same,
        false AS shared
    FROM _whole
    UNION ALL
    SELECT block, own['nodes'], own['edges'], own['order'], own['same'], coalesce(own['shared'], false)
    FROM (
        SELECT unnest(read['without']) AS own, generate_subscripts(read['without'], 1) AS block FROM _whole
    )
);

-- A row: a node of the blocks named, by its number, and its place (slot) in a match: those of a block follow those of
-- the pattern itself. (A node of the pattern that a block names again is no other one.)
CREATE OR REPLACE MACRO _store.pattern_node(blocks) AS TABLE (
    WITH _listed AS MATERIALIZED (
        SELECT block, shared, unnest(nodes) AS node, generate_subscripts(nodes, 1) AS place FROM query_table(blocks)
    ),
    _new AS (
        FROM _listed
        WHERE block = 0 OR coalesce(node['name'] NOT IN (
            SELECT own.node['name'] FROM _listed AS own WHERE own.block = 0 AND own.node['name'] IS NOT NULL
        ), true)
    )
    SELECT row_number() OVER (ORDER BY block ASC, place ASC) AS number, block,
        row_number() OVER (PARTITION BY block ORDER BY place ASC)
        + CASE WHEN block > 0 THEN count(*) FILTER (block = 0) OVER () ELSE 0 END AS slot,
        node['name'] AS name, node['tests'] AS tests, shared
    FROM _new
);

-- A row: a node of the pattern that a block names again, with its slot and what the block says of it.
CREATE OR REPLACE MACRO _store.known_node(blocks, named) AS TABLE (
    SELECT said.block, node.slot, said.own['tests'] AS tests
    FROM (SELECT block, unnest(nodes) AS own FROM query_table(blocks)) AS said
    JOIN query_table(named) AS node ON node.block = 0 AND node.name = said.own['name']
    WHERE said.block > 0
);

-- A row: a link between two nodes of the blocks named, by their slots: kind is head (a is the head of b), enhanced,
-- before or next (b follows a); with an expression for the relation, NULL for any.
CREATE OR REPLACE MACRO _store.pattern_link(blocks, nodes) AS TABLE (
    WITH _said AS (
        SELECT block, own['head'] AS one, own['dependent'] AS other,
            CASE WHEN own['enhanced'] THEN 'enhanced' ELSE 'head' END AS kind, own['relation'] AS relation,
            coalesce(own['not'], false) AS negated
        FROM (SELECT block, unnest(edges) AS own FROM query_table(blocks))
        UNION ALL
        SELECT block, own['first'], own['then'], CASE WHEN own['next'] THEN 'next' ELSE 'before' END, NULL, false
        FROM (SELECT block, unnest(orders) AS own FROM query_table(blocks))
    )
    SELECT row_number() OVER (
            ORDER BY _said.block ASC, _said.kind ASC, one.slot ASC, other.slot ASC, _said.relation ASC
        ) AS link,
        _said.block, CASE
            WHEN one.slot = other.slot THEN error('the node ' || _said.one || ' is linked to itself')
            ELSE coalesce(one.slot, error('no node ' || coalesce(_said.one, 'NULL') || ' in the pattern'))
        END AS a,
        coalesce(other.slot, error('no node ' || coalesce(_said.other, 'NULL') || ' in the pattern')) AS b,
        other.block AS block_of_b, other.number AS number_of_b, _said.kind, _said.relation, _said.negated
    FROM _said
    LEFT JOIN query_table(nodes) AS one ON one.name = _said.one AND one.block IN (0, _said.block)
    LEFT JOIN query_table(nodes) AS other ON other.name = _said.other AND other.block IN (0, _said.block)
);

-- A row: a test of a token, as a bit: of a clause of a node (of each clause one must hold), or of a link, where the
-- node below it was found before (number is NULL), or of a node of the pattern in a block (known_in, slot).
CREATE OR REPLACE MACRO _store.pattern_test(nodes, links, known) AS TABLE (
    WITH _clause AS (
        SELECT number, unnest(tests) AS tests, generate_subscripts(tests, 1) AS clause FROM query_table(nodes)
    ),
    _said AS (
        SELECT number, clause, NULL::BIGINT AS link, unnest(tests) AS test, NULL::BIGINT AS known_in,
            NULL::BIGINT AS slot
        FROM _clause
        UNION ALL
        SELECT NULL, 5000 + row_number() OVER (), NULL, unnest(tests), block, slot
        FROM (SELECT block, slot, unnest(tests) AS tests FROM query_table(known)) AS own
        UNION ALL
        SELECT CASE WHEN block_of_b = block THEN number_of_b END, 1000 + link, link,
            {'attribute': 'deprel', 'value': relation, 'not': negated, 'accents': true}, NULL, NULL
        FROM query_table(links)
        WHERE kind = 'head' AND relation IS NOT NULL
    )
    SELECT row_number() OVER (ORDER BY number ASC, clause ASC, test ASC) - 1 AS bit, number, clause, link,
        CASE WHEN test['attribute'] = 'word' THEN 'form' ELSE test['attribute'] END AS attribute,
        test['value'] AS pattern, coalesce(test['not'], false) AS negated, coalesce(test['accents'], true) AS accents,
        known_in, slot
    FROM _said
);

-- The value of a key in FEATS or MISC; NULL where it is not there.
CREATE OR REPLACE MACRO _store.value_of_key(items, key) AS
    list_filter(string_split(items, '|'), lambda each: starts_with(each, key || '='))[1][len(key) + 2:];

-- What is wrong with a test of a pattern; NULL if nothing is.
CREATE OR REPLACE MACRO _store.wrong_test(attribute, pattern) AS
    CASE
        WHEN attribute IS NULL OR pattern IS NULL THEN 'a test has an attribute and a value'
        WHEN attribute IN ('form', 'word') AND _store.names_capitals(pattern)
        THEN 'capitals make no difference in forms; for capitals alone write (?-i)' || pattern || ' as the form, for '
            || 'any letters (?i)' || pattern
        WHEN attribute IN ('form', 'word', 'lemma', 'upos', 'xpos', 'deprel', 'lexeme', 'feats') THEN NULL
        WHEN attribute IN ('misc.SpaceAfter', 'feats.SpaceAfter')
        THEN 'SpaceAfter is stored as space_after of tokens, which patterns cannot test'
        WHEN attribute = 'misc' OR starts_with(attribute, 'misc.') THEN CASE
            WHEN NOT (SELECT coalesce(bool_or(has_misc), false) FROM _store.corpus)
            THEN 'MISC is not stored in this lexicon: it came before schema 0018, or was added --without-misc'
            WHEN attribute <> 'misc' AND NOT EXISTS (
                FROM _store.annotation WHERE _store.value_of_key(text, attribute[6:]) IS NOT NULL
            ) THEN 'no token has ' || attribute[6:] || ' in MISC'
        END
        WHEN starts_with(attribute, 'feats.') THEN CASE
            WHEN NOT EXISTS (
                FROM (SELECT DISTINCT feats FROM _store.word) AS known
                WHERE _store.value_of_key(known.feats, attribute[7:]) IS NOT NULL
            ) THEN 'no token has ' || attribute[7:] || ' in FEATS'
        END
        ELSE 'no attribute ' || attribute || '; expected form, lemma, upos, xpos, deprel, lexeme, feats, misc, or '
            || 'keys of the last two, as feats.Number'
    END;

-- A relation of enhanced dependencies in the blocks named, no expression, that no token has; NULL where there is none.
CREATE OR REPLACE MACRO _store.unmet_enhanced(blocks) AS (
    SELECT min(own.name)
    FROM (
        SELECT unnest(string_split(edge['relation'], '|')) AS name
        FROM (SELECT unnest(edges) AS edge FROM query_table(blocks))
        WHERE edge['enhanced'] AND regexp_full_match(edge['relation'], '[\w:|-]+')
    ) AS own
    WHERE NOT EXISTS (FROM _store.relation AS known WHERE known.text = own.name) AND NOT EXISTS (
        FROM _store.annotation AS written
        WHERE regexp_matches(written.text, '(^|\|)[0-9.]+:' || own.name || '($|\|)')
    )
);

-- What is said of a key of a pattern whose value is of another type; NULL where there is none.
CREATE OR REPLACE MACRO _store.mistyped_key(asked) AS (
    SELECT min(
            'in a pattern, ' || CASE
                WHEN regexp_full_match(each.key, '\d+')
                THEN 'an item of ' || regexp_extract(each.path, '(\w+)(\[\d+\])?$', 1)
                ELSE each.key
            END || ' is ' || each.value || ', a ' || each.type
        )
    FROM json_tree(asked) AS each
    WHERE CASE
        WHEN starts_with(each.fullkey, '$.sequence.strategy') THEN each.type <> 'VARCHAR'
        WHEN starts_with(each.fullkey, '$.sequence.states[') THEN each.type <> 'VARCHAR'
        WHEN regexp_full_match(each.fullkey, '\$\.sequence\.(first|last|at_start|at_end|next|states)|.*\.next\[\d+\]')
        THEN each.type <> 'ARRAY'
        WHEN starts_with(each.fullkey, '$.sequence.') THEN each.type NOT IN ('UBIGINT', 'BIGINT')
        WHEN each.fullkey = '$.sequence' THEN each.type <> 'OBJECT'
        WHEN suffix(each.path, '.tests') THEN each.type <> 'ARRAY' OR each.value::VARCHAR = '[]'
        WHEN regexp_matches(each.path, '\.(nodes|edges|order|same|without|tests\[\d+\])$') THEN each.type <> 'OBJECT'
        WHEN each.key IN ('nodes', 'edges', 'order', 'same', 'without', 'tests') THEN each.type <> 'ARRAY'
        WHEN each.key IN ('not', 'enhanced', 'next', 'accents', 'shared') THEN each.type NOT IN ('BOOLEAN', 'NULL')
        WHEN each.key = 'relation' THEN each.type NOT IN ('VARCHAR', 'NULL')
        WHEN regexp_full_match(each.key, '[a-z]+') THEN each.type <> 'VARCHAR'
    END
);

-- What is wrong with the keys, names and blocks of a pattern; NULL where nothing is.
CREATE OR REPLACE MACRO _store.wrong_pattern(asked, blocks, nodes) AS (
    SELECT CASE
        WHEN own.unknown IS NOT NULL THEN 'a pattern has no ' || own.unknown || '; see meaning.md 7.9'
        WHEN own.mistyped IS NOT NULL THEN own.mistyped
        WHEN own.nameless > 0 THEN 'a node of the pattern has no name, or two have one'
        WHEN json_exists(asked, '$.shared') THEN 'shared is said of a block of without, not of a pattern'
        WHEN own.blank > 0 THEN 'a block of without is empty; give it nodes, edges, order or same'
    END
    FROM (
        SELECT (
                SELECT min(each.key) FILTER (NOT regexp_full_match(each.key, '[0-9]+') AND each.key NOT IN (
                    'nodes', 'edges', 'order', 'same', 'without', 'name', 'tests', 'attribute', 'value', 'not', 'head',
                    'dependent', 'relation', 'enhanced', 'first', 'then', 'next', 'left', 'right', 'accents',
                    'sequence', 'states', 'last', 'at_start', 'at_end', 'strategy', 'shared'
                ))
                FROM json_tree(asked) AS each
            ) AS unknown,
            _store.mistyped_key(asked) AS mistyped, (
                SELECT count(*)
                FROM query_table(nodes) AS one
                LEFT JOIN query_table(nodes) AS other
                    ON other.name = one.name AND other.number <> one.number AND other.block IN (0, one.block)
                WHERE one.name IS NULL OR other.name IS NOT NULL
            ) AS nameless, (
                SELECT count(*)
                FROM query_table(blocks) AS block
                WHERE greatest(len(block.nodes), len(block.edges), len(block.orders), len(block.same), 0) = 0
            ) AS blank
    ) AS own
);

-- A row: a value that is compared in the blocks named: of which node (NULL: there is none of this name), and its
-- attribute.
CREATE OR REPLACE MACRO _store.compared_value(blocks, nodes) AS TABLE (
    WITH _side AS (
        SELECT block, unnest([own['left'], own['right']]) AS side
        FROM (SELECT block, unnest(same) AS own FROM query_table(blocks))
    )
    SELECT split_part(side, '.', 1) AS name, node.number, regexp_replace(side, '^[^.]*\.', '') AS attribute
    FROM _side
    LEFT JOIN query_table(nodes) AS node
        ON node.name = split_part(_side.side, '.', 1) AND node.block IN (0, _side.block)
);

-- True where of each clause of the tests named that is of tags, relations and features alone, no expressions, one is
-- some token's; otherwise an error.
CREATE OR REPLACE MACRO _store.check_tags_of_tests(tests) AS (
    -- A row: a tag or a relation that is asked for, of several apart.
    WITH _tagged AS MATERIALIZED (
        SELECT place, attribute, unnest(string_split(pattern, '|')) AS pattern
        FROM (
            SELECT coalesce(number, -1) * 10000 + clause AS place, attribute, pattern, bool_and(
                    (attribute IN ('upos', 'xpos', 'deprel') OR starts_with(attribute, 'feats.'))
                    AND regexp_full_match(pattern, '[\w:|$,''-]+')
                ) OVER (PARTITION BY number, clause) AS is_plain
            FROM query_table(tests)
        ) AS test
        WHERE is_plain
    ),
    _tag AS NOT MATERIALIZED (
        FROM _store.tag
        UNION ALL
        SELECT own.attribute, _store.value_of_key(known.feats, own.attribute[7:]), count(*)
        FROM (SELECT DISTINCT feats FROM _store.word) AS known
        JOIN (SELECT DISTINCT attribute FROM query_table(tests)) AS own ON starts_with(own.attribute, 'feats.')
        GROUP BY ALL
    )
    SELECT _store.check_tags('_tagged', '_tag')
);

-- True where a pattern can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_pattern(asked, blocks, nodes, tests) AS (
    WITH _compared AS (FROM _store.compared_value(blocks, nodes))
    SELECT CASE
        WHEN NOT _store.bounded_pattern(asked) THEN false
        WHEN own.wrong IS NOT NULL THEN error(own.wrong)
        WHEN own.strange IS NOT NULL THEN error('no node ' || own.strange || ' in the pattern')
        WHEN own.untested IS NOT NULL THEN error(own.untested)
        WHEN own.enhanced AND NOT (SELECT coalesce(bool_or(has_misc), false) FROM _store.corpus)
        THEN error('DEPS is not stored in this lexicon: it came before schema 0018, or was added --without-misc')
        WHEN own.unmet IS NOT NULL THEN error('no token has the enhanced relation ' || own.unmet)
        WHEN own.compared IS NOT NULL THEN error(
            'values of ' || own.compared || ' are not compared; those of form, lemma, upos, xpos and keys of FEATS are'
        )
        ELSE _store.check_tags_of_tests(tests)
    END
    FROM (
        SELECT _store.wrong_pattern(asked, blocks, nodes) AS wrong,
            (SELECT min(name) FROM _compared WHERE number IS NULL) AS strange,
            coalesce(
                (SELECT min(_store.wrong_test(attribute, pattern)) FROM query_table(tests)),
                (SELECT min(_store.wrong_test(attribute, '')) FROM _compared)
            ) AS untested,
            (
                SELECT min(attribute) FROM _compared
                WHERE NOT regexp_full_match(attribute, 'form|lemma|upos|xpos|feats(\..*)?')
            ) AS compared,
            (
                SELECT coalesce(bool_or(len(list_filter(edges, lambda each: each['enhanced'])) > 0), false)
                FROM query_table(blocks)
            ) AS enhanced,
            _store.unmet_enhanced(blocks) AS unmet
    ) AS own
);
