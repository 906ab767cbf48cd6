-- Patterns: what is looked for in the trees, node by node, as JSON says it (meaning.md 7.9). A pattern has nodes, edges
-- between them, their order, values that are the same, and blocks of all these that must not be there (without).

-- True where a pattern can be answered; otherwise an error that names the limit, or says that it is none.
CREATE OR REPLACE MACRO _store.bounded_pattern(pattern) AS
    CASE
        WHEN pattern IS NULL THEN error('a pattern is wanted, as pattern(''{"nodes": [{"name": "V"}]}'')')
        WHEN length(pattern) > 20000
        THEN error('the pattern has ' || length(pattern) || ' characters; at most 20000')
        WHEN NOT json_valid(pattern) THEN error('the pattern is no JSON: ' || pattern[:60])
        WHEN coalesce(json_array_length(pattern, '$.nodes'), 0) = 0
        THEN error('the pattern has no nodes; expected JSON, as {"nodes": [{"name": "V"}]}')
        ELSE true
    END;

-- What is looked for in the trees, for the lexeme of evidence or counts_by, or for matches: JSON with nodes, edges,
-- order, same and without. A node has a name, and tests: of each list one must hold.
-- Example: FROM matches(pattern('{"nodes": [{"name": "N", "tests": [[{"attribute": "lemma", "value": "shoot"}]]}]}'))
CREATE OR REPLACE MACRO pattern(json VARCHAR) AS
    {'pattern': CASE WHEN @in_use@ AND _store.bounded_pattern(json) THEN json END};

-- A row: the pattern itself (block 0), or a block that must not be there.
CREATE OR REPLACE MACRO _store.pattern_block(pattern) AS TABLE (
    WITH _whole AS MATERIALIZED (
        SELECT from_json(pattern, '{
            "nodes": [{
                "name": "VARCHAR", "tests": [[{"attribute": "VARCHAR", "value": "VARCHAR", "not": "BOOLEAN"}]]
            }],
            "edges": [{
                "head": "VARCHAR", "dependent": "VARCHAR", "relation": "VARCHAR", "not": "BOOLEAN",
                "enhanced": "BOOLEAN"
            }],
            "order": [{"first": "VARCHAR", "then": "VARCHAR", "next": "BOOLEAN"}],
            "same": [{"left": "VARCHAR", "right": "VARCHAR", "not": "BOOLEAN"}],
            "without": [{
                "nodes": [{
                    "name": "VARCHAR", "tests": [[{"attribute": "VARCHAR", "value": "VARCHAR", "not": "BOOLEAN"}]]
                }],
                "edges": [{
                    "head": "VARCHAR", "dependent": "VARCHAR", "relation": "VARCHAR", "not": "BOOLEAN",
                    "enhanced": "BOOLEAN"
                }],
                "order": [{"first": "VARCHAR", "then": "VARCHAR", "next": "BOOLEAN"}],
                "same": [{"left": "VARCHAR", "right": "VARCHAR", "not": "BOOLEAN"}]
            }]
        }') AS read
    )
    SELECT 0 AS block, read['nodes'] AS nodes, read['edges'] AS edges, read['order'] AS orders, read['same'] AS same
    FROM _whole
    UNION ALL
    SELECT block, own['nodes'], own['edges'], own['order'], own['same']
    FROM (
        SELECT unnest(read['without']) AS own, generate_subscripts(read['without'], 1) AS block FROM _whole
    )
);

-- A row: a node of the blocks named, by its number, and its place (slot) in a match: those of a block follow those of
-- the pattern itself.
CREATE OR REPLACE MACRO _store.pattern_node(blocks) AS TABLE (
    WITH _listed AS (
        SELECT block, unnest(nodes) AS node, generate_subscripts(nodes, 1) AS place FROM query_table(blocks)
    )
    SELECT row_number() OVER (ORDER BY block ASC, place ASC) AS number, block,
        place + CASE WHEN block > 0 THEN count(*) FILTER (block = 0) OVER () ELSE 0 END AS slot,
        node['name'] AS name, node['tests'] AS tests
    FROM _listed
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
-- node below it was found before (number is NULL).
CREATE OR REPLACE MACRO _store.pattern_test(nodes, links) AS TABLE (
    WITH _clause AS (
        SELECT number, unnest(tests) AS tests, generate_subscripts(tests, 1) AS clause FROM query_table(nodes)
    ),
    _said AS (
        SELECT number, clause, NULL::BIGINT AS link, unnest(tests) AS test FROM _clause
        UNION ALL
        SELECT CASE WHEN block_of_b = block THEN number_of_b END, 1000 + link, link,
            {'attribute': 'deprel', 'value': relation, 'not': negated}
        FROM query_table(links)
        WHERE kind = 'head' AND relation IS NOT NULL
    )
    SELECT row_number() OVER (ORDER BY number ASC, clause ASC, test ASC) - 1 AS bit, number, clause, link,
        CASE WHEN test['attribute'] = 'word' THEN 'form' ELSE test['attribute'] END AS attribute,
        test['value'] AS pattern, coalesce(test['not'], false) AS negated
    FROM _said
);

-- The value of a key in FEATS or MISC; NULL where it is not there.
CREATE OR REPLACE MACRO _store.value_of_key(items, key) AS
    list_filter(string_split(items, '|'), lambda each: starts_with(each, key || '='))[1][len(key) + 2:];

-- A row: a word (sort 1), a relation (2), or what stands in MISC (3), by its id, and the tests that it passes, as bits.
CREATE OR REPLACE MACRO _store.passed_tests(tests) AS TABLE (
    WITH _asked AS MATERIALIZED (SELECT DISTINCT attribute FROM query_table(tests)),
    _key AS MATERIALIZED (
        SELECT attribute, split_part(attribute, '.', 1) AS kind,
            attribute[len(split_part(attribute, '.', 1)) + 2:] AS key
        FROM _asked
    ),
    _each (sort, id, attribute, value) AS (
        SELECT 1, word.id, _key.attribute, CASE _key.kind
                WHEN 'form' THEN word.form WHEN 'lemma' THEN word.lemma WHEN 'upos' THEN word.upos
                WHEN 'xpos' THEN word.xpos WHEN 'lexeme' THEN lexeme.text
                WHEN 'feats' THEN CASE WHEN _key.key = '' THEN word.feats
                    ELSE _store.value_of_key(word.feats, _key.key) END
            END
        FROM _key
        CROSS JOIN _store.word
        LEFT JOIN _store.lexeme ON _key.kind = 'lexeme' AND lexeme.id = word.lexeme_id
        WHERE _key.kind NOT IN ('deprel', 'misc')
        UNION ALL
        SELECT 2, relation.id, _key.attribute, relation.text FROM _key, _store.relation WHERE _key.kind = 'deprel'
        UNION ALL
        SELECT 3, annotation.id, _key.attribute,
            CASE WHEN _key.key = '' THEN annotation.text ELSE _store.value_of_key(annotation.text, _key.key) END
        FROM _key, _store.annotation
        WHERE _key.kind = 'misc'
    ),
    _value AS MATERIALIZED (SELECT DISTINCT attribute, value FROM _each),
    _passed AS MATERIALIZED (
        SELECT _value.attribute, _value.value, bit_or(1::BIGINT << test.bit) AS bits
        FROM _value
        JOIN query_table(tests) AS test ON test.attribute = _value.attribute
        WHERE coalesce(_store.passes(test.attribute, _value.value, test.pattern), false) <> test.negated
        GROUP BY _value.attribute, _value.value
    )
    SELECT _each.sort, _each.id, bit_or(_passed.bits) AS bits
    FROM _each
    JOIN _passed ON _passed.attribute = _each.attribute AND _passed.value IS NOT DISTINCT FROM _each.value
    GROUP BY _each.sort, _each.id
);

-- What is wrong with a test of a pattern; NULL if nothing is.
CREATE OR REPLACE MACRO _store.wrong_test(attribute, pattern) AS
    CASE
        WHEN attribute IS NULL OR pattern IS NULL THEN 'a test has an attribute and a value'
        WHEN attribute IN ('form', 'word', 'lemma', 'upos', 'xpos', 'deprel', 'lexeme', 'feats') THEN NULL
        WHEN attribute IN ('misc.SpaceAfter', 'feats.SpaceAfter')
        THEN 'SpaceAfter is kept as whether a space follows (space_after of tokens), and no pattern asks for it'
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
        ELSE 'no attribute ' || attribute || '; there is form, lemma, upos, xpos, deprel, lexeme, feats, misc, and '
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
    SELECT min('in a pattern, ' || each.key || ' is ' || each.value || ', a ' || each.type)
    FROM json_tree(asked) AS each
    WHERE CASE
        WHEN each.key IN ('nodes', 'edges', 'order', 'same', 'without', 'tests') THEN each.type <> 'ARRAY'
        WHEN each.key IN ('not', 'enhanced', 'next') THEN each.type NOT IN ('BOOLEAN', 'NULL')
        WHEN each.key = 'relation' THEN each.type NOT IN ('VARCHAR', 'NULL')
        WHEN regexp_full_match(each.key, '[a-z]+') THEN each.type <> 'VARCHAR'
    END
);

-- True where a pattern can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_pattern(asked, blocks, nodes, tests, tagged, tags) AS (
    WITH _compared AS (
        SELECT regexp_replace(unnest([own['left'], own['right']]), '^[^.]*\.', '') AS attribute
        FROM (SELECT unnest(same) AS own FROM query_table(blocks))
    )
    SELECT CASE
        WHEN NOT _store.bounded_pattern(asked) THEN false
        WHEN own.unknown IS NOT NULL THEN error('a pattern has no ' || own.unknown || '; see meaning.md 7.9')
        WHEN own.mistyped IS NOT NULL THEN error(own.mistyped)
        WHEN own.nodes > 20 THEN error('the pattern has ' || own.nodes || ' nodes; at most 20')
        WHEN own.tests > 60 THEN error('the pattern has ' || own.tests || ' tests; at most 60')
        WHEN own.nameless > 0 THEN error('a node of the pattern has no name, or two have one')
        WHEN own.wrong IS NOT NULL THEN error(own.wrong)
        WHEN own.enhanced AND NOT (SELECT coalesce(bool_or(has_misc), false) FROM _store.corpus)
        THEN error('DEPS is not stored in this lexicon: it came before schema 0018, or was added --without-misc')
        WHEN own.unmet IS NOT NULL THEN error('no token has the enhanced relation ' || own.unmet)
        WHEN own.compared IS NOT NULL THEN error(
            'values of ' || own.compared || ' are not compared; those of form, lemma, upos, xpos and keys of FEATS are'
        )
        ELSE _store.check_tags(tagged, tags)
    END
    FROM (
        SELECT (
                SELECT min(each.key) FILTER (NOT regexp_full_match(each.key, '[0-9]+') AND each.key NOT IN (
                    'nodes', 'edges', 'order', 'same', 'without', 'name', 'tests', 'attribute', 'value', 'not', 'head',
                    'dependent', 'relation', 'enhanced', 'first', 'then', 'next', 'left', 'right'
                ))
                FROM json_tree(asked) AS each
            ) AS unknown,
            _store.mistyped_key(asked) AS mistyped,
            (SELECT count(*) FROM query_table(nodes)) AS nodes,
            (SELECT count(*) FROM query_table(tests)) AS tests,
            (
                SELECT count(*)
                FROM query_table(nodes) AS one
                LEFT JOIN query_table(nodes) AS other
                    ON other.name = one.name AND other.number <> one.number AND other.block IN (0, one.block)
                WHERE one.name IS NULL OR other.name IS NOT NULL
            ) AS nameless,
            coalesce(
                (SELECT min(_store.wrong_test(attribute, pattern)) FROM query_table(tests)),
                (SELECT min(_store.wrong_test(attribute, '')) FROM _compared)
            ) AS wrong,
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

-- The kind of row that has an attribute: 1 a word, 2 a relation, 3 what stands in MISC.
CREATE OR REPLACE MACRO _store.sort_of_attribute(attribute) AS
    CASE WHEN attribute = 'deprel' THEN 2 WHEN regexp_matches(attribute, '^misc(\.|$)') THEN 3 ELSE 1 END;

-- A row: a clause of a node: its tests as bits, and the kind of row that has them all, NULL where they are of several.
CREATE OR REPLACE MACRO _store.clause_of_tests(tests) AS TABLE (
    SELECT number, clause, bit_or(1::BIGINT << bit) AS bits, CASE
            WHEN count(DISTINCT _store.sort_of_attribute(attribute)) = 1
            THEN min(_store.sort_of_attribute(attribute))
        END AS sort
    FROM query_table(tests)
    WHERE number IS NOT NULL
    GROUP BY number, clause
);

-- A row: a word, a relation, or what stands in MISC (sort), with the tests that it passes and the nodes that a token
-- with it may be, as bits.
CREATE OR REPLACE MACRO _store.fitting_part(nodes, tests) AS TABLE (
    WITH _id (sort, id) AS (
        SELECT 1, id FROM _store.word
        UNION ALL
        SELECT 2, id FROM _store.relation
        UNION ALL
        SELECT 3, id FROM _store.annotation
    ),
    _own AS MATERIALIZED (
        SELECT _id.sort, _id.id, coalesce(passed.bits, 0) AS bits
        FROM _id
        LEFT JOIN _store.passed_tests(tests) AS passed ON passed.sort = _id.sort AND passed.id = _id.id
    ),
    _kind AS MATERIALIZED (SELECT DISTINCT sort, bits FROM _own),
    _unfit AS MATERIALIZED (
        SELECT _kind.sort, _kind.bits, bit_or(1::BIGINT << clause.number) AS fits
        FROM _kind
        JOIN _store.clause_of_tests(tests) AS clause
            ON clause.sort = _kind.sort AND clause.bits & _kind.bits = 0
        GROUP BY _kind.sort, _kind.bits
    )
    SELECT _own.sort, _own.id, _own.bits, (
            SELECT bit_or(1::BIGINT << number) FROM query_table(nodes)
        ) & ~coalesce(_unfit.fits, 0) AS fits
    FROM _own
    LEFT JOIN _unfit ON _unfit.sort = _own.sort AND _unfit.bits = _own.bits
);

-- True where each test named is passed by some word, relation or MISC; otherwise an error that names one that none
-- passes. (What must not be so may be so nowhere.)
CREATE OR REPLACE MACRO _store.check_passed(tests, parts) AS (
    SELECT coalesce(bool_and(error('no token has ' || attribute || ' ' || pattern)::BOOLEAN), true)
    FROM query_table(tests)
    WHERE NOT negated AND ((SELECT bit_or(bits) FROM query_table(parts)) >> bit) & 1 = 0
);

-- A row: a sentence that has a token for the rarest of the nodes named that must be there; words and relations name
-- those that fit some nodes. (A list that is unnested is expected to be short, so that it is looked up, and not all
-- tokens in it.)
CREATE OR REPLACE MACRO _store.searched_sentence(nodes, words, relations, subcorpus) AS TABLE (
    WITH _rarest AS MATERIALIZED (
        SELECT node.number
        FROM query_table(nodes) AS node
        LEFT JOIN query_table(words) AS word ON (word.fits >> node.number) & 1 = 1
        WHERE node.block = 0
        GROUP BY node.number
        ORDER BY count(word.id) ASC, node.number ASC
        LIMIT 1
    ),
    _rare_word AS MATERIALIZED (
        SELECT word.id, word.fits
        FROM query_table(words) AS word
        JOIN _rarest ON (word.fits >> _rarest.number) & 1 = 1
    ),
    _in_any AS NOT MATERIALIZED (
        SELECT DISTINCT token.sentence_id
        FROM _store.token
        JOIN _rare_word ON _rare_word.id = token.word_id
        JOIN query_table(relations) AS relation ON relation.id = token.relation_id
        WHERE (_rare_word.fits & relation.fits >> (SELECT number FROM _rarest)) & 1 = 1
    ),
    _in_subcorpus AS NOT MATERIALIZED (
        SELECT _in_any.sentence_id
        FROM _in_any
        SEMI JOIN _store.subcorpus_sentence AS chosen
            ON chosen.sentence_id = _in_any.sentence_id AND chosen.subcorpus_id = _store.subcorpus_id(subcorpus)
    )
    SELECT unnest(list(sentence_id)) AS sentence_id
    FROM query_table(CASE WHEN subcorpus IS NULL THEN '_in_any' ELSE '_in_subcorpus' END)
);

-- A row: a token that may be some of the nodes named (as bits), in the sentences that are searched. needs_misc: whether
-- MISC is tested.
CREATE OR REPLACE MACRO _store.fitting_token(nodes, tests, needs_misc, subcorpus) AS TABLE (
    WITH _part AS MATERIALIZED (FROM _store.fitting_part(nodes, tests)),
    _word AS MATERIALIZED (SELECT id, bits, fits FROM _part WHERE sort = 1 AND fits > 0),
    _relation AS MATERIALIZED (SELECT id, bits, fits FROM _part WHERE sort = 2 AND fits > 0),
    _misc AS MATERIALIZED (SELECT id, bits, fits FROM _part WHERE sort = 3 AND fits > 0),
    _searched AS MATERIALIZED (
        FROM _store.searched_sentence(nodes, '_word', '_relation', subcorpus)
        WHERE (SELECT _store.check_passed(tests, '_part'))
    ),
    _without_misc AS NOT MATERIALIZED (
        SELECT token.*, _word.bits | _relation.bits AS bits, _word.fits & _relation.fits AS fits
        FROM _store.token
        JOIN _searched ON _searched.sentence_id = token.sentence_id
        JOIN _word ON _word.id = token.word_id
        JOIN _relation ON _relation.id = token.relation_id
        WHERE _word.fits & _relation.fits > 0
    ),
    _with_misc AS NOT MATERIALIZED (
        SELECT token.* REPLACE (token.bits | _misc.bits AS bits), token.fits & _misc.fits AS fit
        FROM _without_misc AS token
        JOIN _misc ON _misc.id = token.misc_id
        WHERE token.fits & _misc.fits > 0
    ),
    _mixed AS MATERIALIZED (
        SELECT coalesce(list({'number': number, 'bits': bits}), []) AS clauses
        FROM _store.clause_of_tests(tests)
        WHERE sort IS NULL
    ),
    _token AS NOT MATERIALIZED (
        SELECT sentence_id, position, head, word_id, relation_id, deps_id, bits, fit AS fits
        FROM _with_misc
        WHERE needs_misc
        UNION ALL
        SELECT sentence_id, position, head, word_id, relation_id, deps_id, bits, fits
        FROM _without_misc
        WHERE NOT needs_misc
    )
    SELECT token.sentence_id, token.position, token.head, token.word_id, token.relation_id, token.deps_id, token.bits,
        CASE
            WHEN len(_mixed.clauses) = 0 THEN token.fits
            ELSE token.fits & ~coalesce(list_bit_or(list_transform(
                _mixed.clauses,
                lambda clause: CASE WHEN clause['bits'] & token.bits = 0 THEN 1::BIGINT << clause['number'] ELSE 0 END
            )), 0)
        END AS fits
    FROM _token AS token, _mixed
);

-- A row: the step that finds the node of a slot: by what of a token it is looked up (head, enhanced heads or position,
-- or any), beside which node found before and how; and all links to those, of which each must hold.
CREATE OR REPLACE MACRO _store.pattern_step(nodes, links, tests) AS TABLE (
    WITH _linked AS MATERIALIZED (
        SELECT link.*, test.bit, greatest(a, b) AS slot, least(a, b) AS beside, CASE
                WHEN kind = 'head' THEN CASE WHEN a < b THEN 'below' ELSE 'above' END
                WHEN kind = 'next' THEN CASE WHEN a < b THEN 'after' ELSE 'ahead' END
                WHEN kind = 'enhanced' AND a < b THEN 'enhanced'
            END AS way
        FROM query_table(links) AS link
        LEFT JOIN query_table(tests) AS test ON test.link = link.link AND test.number IS NULL
    ),
    _way AS (
        SELECT block, slot,
            min({'rank': CASE WHEN kind = 'head' THEN 1 ELSE 2 END, 'way': way, 'beside': beside}) AS best
        FROM _linked
        WHERE way IS NOT NULL
        GROUP BY block, slot
    ),
    _all AS (
        SELECT block, slot, list({
            'a': a, 'b': b, 'kind': kind, 'relation': relation, 'negated': negated, 'bit': bit
        }) AS links
        FROM _linked
        GROUP BY block, slot
    )
    SELECT node.block, node.slot, node.number, coalesce(_way.best['way'], 'any') AS way,
        CASE
            WHEN _way.best IS NULL THEN 'any' WHEN _way.best['way'] = 'below' THEN 'head'
            WHEN _way.best['way'] = 'enhanced' THEN 'enhanced' ELSE 'position'
        END AS looked_up,
        _way.best['beside'] AS beside, coalesce(_all.links, []) AS links
    FROM query_table(nodes) AS node
    LEFT JOIN _way ON _way.block = node.block AND _way.slot = node.slot
    LEFT JOIN _all ON _all.block = node.block AND _all.slot = node.slot
);

-- Whether a link holds between two tokens; where the node below was found before, by its test (bit).
CREATE OR REPLACE MACRO _store.link_holds(link, one, other) AS
    CASE link['kind']
        WHEN 'head' THEN other['head'] = one['position']
        AND (link['bit'] IS NULL OR (other['bits'] >> link['bit']) & 1 = 1)
        WHEN 'before' THEN one['position'] < other['position']
        WHEN 'next' THEN one['position'] + 1 = other['position']
        ELSE len(list_filter(
            string_split(other['deps'], '|'),
            lambda each: starts_with(each, one['position'] || ':') AND (
                link['relation'] IS NULL
                OR regexp_full_match(each[len(one['position'] || ':') + 1:], link['relation']) <> link['negated']
            )
        )) > 0
    END;

-- The positions of the heads in enhanced dependencies; of empty nodes (8.1) there is none.
CREATE OR REPLACE MACRO _store.enhanced_heads(deps) AS
    list_distinct(list_filter(list_transform(
        string_split(deps, '|'), lambda each: try_cast(split_part(each, ':', 1) AS INTEGER)
    ), lambda each: each IS NOT NULL));

-- Whether all links hold between the tokens of a match.
CREATE OR REPLACE MACRO _store.links_hold(links, found) AS
    len(list_filter(
        links, lambda link: NOT coalesce(_store.link_holds(link, found[link['a']], found[link['b']]), false)
    )) = 0;

-- A row: a match that grows by a node at each step, from those named (match, sentence_id, block, found), and how far
-- it came: found has the tokens of its nodes. Different nodes are different tokens.
CREATE OR REPLACE MACRO _store.grown_match(begun, steps, tokens) AS TABLE (
    WITH RECURSIVE _each_token AS MATERIALIZED (
        SELECT sentence_id, fits,
            {'position': position, 'head': head, 'bits': bits, 'word_id': word_id, 'deps': deps} AS token
        FROM query_table(tokens)
    ),
    _needed AS MATERIALIZED (SELECT DISTINCT looked_up FROM query_table(steps)),
    _keyed AS MATERIALIZED (
        SELECT _each_token.sentence_id, _each_token.fits, _each_token.token, _needed.looked_up,
            unnest(CASE _needed.looked_up
                WHEN 'head' THEN [_each_token.token['head']]
                WHEN 'position' THEN [_each_token.token['position']]
                WHEN 'enhanced' THEN _store.enhanced_heads(_each_token.token['deps'])
                ELSE [0]
            END) AS key
        FROM _each_token, _needed
    ),
    _grown (match, sentence_id, block, found) AS (
        SELECT match, sentence_id, block, found FROM query_table(begun)
        UNION ALL
        SELECT _due.match, _due.sentence_id, _due.block, list_append(_due.found, _keyed.token)
        FROM (
            -- (A query of its own, so that tokens are looked up by their keys, and not all of a sentence.)
            WITH _next AS MATERIALIZED (
                SELECT _grown.*, step.number, step.looked_up, step.way, step.links, CASE
                        WHEN step.way IN ('below', 'enhanced') THEN _grown.found[step.beside]['position']
                        WHEN step.way = 'above' THEN _grown.found[step.beside]['head']
                        WHEN step.way = 'after' THEN _grown.found[step.beside]['position'] + 1
                        WHEN step.way = 'ahead' THEN _grown.found[step.beside]['position'] - 1
                        ELSE 0
                    END AS key
                FROM _grown
                JOIN query_table(steps) AS step ON step.block = _grown.block AND step.slot = len(_grown.found) + 1
            )
            FROM _next
        ) AS _due
        JOIN _keyed
            ON _keyed.sentence_id = _due.sentence_id AND _keyed.looked_up = _due.looked_up AND _keyed.key = _due.key
            AND (_keyed.fits >> _due.number) & 1 = 1
        WHERE NOT list_contains(list_transform(_due.found, lambda each: each['position']), _keyed.token['position'])
            AND CASE
                WHEN len(_due.links) = 0 OR (
                    len(_due.links) = 1 AND _due.way NOT IN ('any', 'enhanced') AND _due.links[1]['bit'] IS NULL
                )
                THEN true
                ELSE _store.links_hold(_due.links, list_append(_due.found, _keyed.token))
            END
    )
    FROM _grown
);

-- The value of an attribute of a word, by which two are compared: capitals make no difference in forms.
CREATE OR REPLACE MACRO _store.value_of_word(word, attribute) AS
    CASE attribute
        WHEN 'form' THEN lower(_store.letters_of(word['form'])) WHEN 'lemma' THEN word['lemma']
        WHEN 'upos' THEN word['upos'] WHEN 'xpos' THEN word['xpos'] WHEN 'feats' THEN word['feats']
        ELSE _store.value_of_key(word['feats'], replace(attribute, 'feats.', ''))
    END;

-- A row: a match of those named in which two values that should be the same differ, or should differ and do not.
CREATE OR REPLACE MACRO _store.differing_match(matches, blocks, nodes) AS TABLE (
    WITH _said AS (
        SELECT block, own['left'] AS one, own['right'] AS other, coalesce(own['not'], false) AS negated
        FROM (SELECT block, unnest(same) AS own FROM query_table(blocks))
    ),
    _same AS MATERIALIZED (
        SELECT _said.block, one.slot AS slot_of_one, regexp_replace(_said.one, '^[^.]*\.', '') AS attribute_of_one,
            other.slot AS slot_of_other, regexp_replace(_said.other, '^[^.]*\.', '') AS attribute_of_other,
            _said.negated
        FROM _said
        JOIN query_table(nodes) AS one
            ON one.name = split_part(_said.one, '.', 1) AND one.block IN (0, _said.block)
        JOIN query_table(nodes) AS other
            ON other.name = split_part(_said.other, '.', 1) AND other.block IN (0, _said.block)
    )
    SELECT met.match, met.block, met.found
    FROM query_table(matches) AS met
    JOIN _same ON _same.block = met.block
    JOIN _store.word AS one ON one.id = met.found[_same.slot_of_one]['word_id']
    JOIN _store.word AS other ON other.id = met.found[_same.slot_of_other]['word_id']
    WHERE coalesce(
        _store.value_of_word(one, _same.attribute_of_one) = _store.value_of_word(other, _same.attribute_of_other), false
    ) = _same.negated
);

-- A row: a token that may be some of the nodes named, with its enhanced dependencies where those are asked for.
CREATE OR REPLACE MACRO _store.token_of_pattern(asked, blocks, nodes, tests, subcorpus) AS TABLE (
    -- A row: a tag or a relation that is asked for, of several apart; no expression.
    WITH _tagged AS MATERIALIZED (
        SELECT bit AS place, attribute, unnest(string_split(pattern, '|')) AS pattern
        FROM query_table(tests)
        WHERE (attribute IN ('upos', 'xpos', 'deprel') OR starts_with(attribute, 'feats.'))
            AND regexp_full_match(pattern, '[\w:|$,''-]+')
    ),
    _tag AS NOT MATERIALIZED (
        FROM _store.tag
        UNION ALL
        SELECT own.attribute, _store.value_of_key(known.feats, own.attribute[7:]), count(*)
        FROM (SELECT DISTINCT feats FROM _store.word) AS known
        JOIN (SELECT DISTINCT attribute FROM query_table(tests)) AS own ON starts_with(own.attribute, 'feats.')
        GROUP BY ALL
    ),
    _fitting AS MATERIALIZED (
        FROM _store.fitting_token(nodes, tests, contains(asked, '"misc'), subcorpus)
        WHERE fits > 0 AND (SELECT _store.check_pattern(asked, blocks, nodes, tests, '_tagged', '_tag'))
    ),
    _bare AS NOT MATERIALIZED (SELECT *, NULL::VARCHAR AS deps FROM _fitting),
    _enhanced AS NOT MATERIALIZED (
        SELECT _fitting.*,
            CASE WHEN written.text = '=' THEN _fitting.head || ':' || relation.text ELSE written.text END AS deps
        FROM _fitting
        JOIN _store.annotation AS written ON written.id = _fitting.deps_id
        JOIN _store.relation ON relation.id = _fitting.relation_id
    )
    FROM query_table(CASE WHEN contains(asked, '"enhanced"') THEN '_enhanced' ELSE '_bare' END)
);

-- A row: a match of the nodes of a pattern itself, by its number, with their tokens; the links and what is to be the
-- same hold.
CREATE OR REPLACE MACRO _store.match_of_nodes(asked, blocks, nodes, steps, tokens) AS TABLE (
    WITH _begun AS NOT MATERIALIZED (
        SELECT NULL::BIGINT AS match, sentence_id, 0::BIGINT AS block,
            [{'position': position, 'head': head, 'bits': bits, 'word_id': word_id, 'deps': deps}] AS found
        FROM query_table(tokens)
        WHERE (fits >> (SELECT number FROM query_table(nodes) WHERE slot = 1 AND block = 0)) & 1 = 1
    ),
    _whole AS MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, block, found
        FROM _store.grown_match('_begun', steps, tokens)
        WHERE len(found) = (SELECT max(slot) FROM query_table(nodes) WHERE block = 0)
    ),
    _none AS NOT MATERIALIZED (SELECT match, block, found FROM _whole LIMIT 0),
    _differing AS NOT MATERIALIZED (FROM _store.differing_match('_whole', blocks, nodes)),
    _different AS MATERIALIZED (
        FROM query_table(CASE WHEN contains(asked, '"same"') THEN '_differing' ELSE '_none' END)
    )
    SELECT _whole.* FROM _whole ANTI JOIN _different USING (match)
);

-- A row: a match of those named to which a block can be added that must not be there.
CREATE OR REPLACE MACRO _store.excluded_match(asked, matches, blocks, nodes, links, tests, steps, tokens) AS TABLE (
    -- A row: a block, and the links in it between nodes of the match.
    WITH _known AS MATERIALIZED (
        SELECT link.block, list({
                'a': link.a, 'b': link.b, 'kind': link.kind, 'relation': link.relation, 'negated': link.negated,
                'bit': test.bit
            }) AS links
        FROM query_table(links) AS link
        LEFT JOIN query_table(tests) AS test ON test.link = link.link AND test.number IS NULL
        WHERE greatest(link.a, link.b) <= (SELECT max(slot) FROM query_table(nodes) WHERE block = 0)
        GROUP BY link.block
    ),
    _blocked AS NOT MATERIALIZED (
        SELECT met.match, met.sentence_id, own.block::BIGINT AS block, met.found
        FROM query_table(matches) AS met
        JOIN query_table(blocks) AS own ON own.block > 0
        LEFT JOIN _known ON _known.block = own.block
        WHERE _known.links IS NULL OR _store.links_hold(_known.links, met.found)
    ),
    _size AS MATERIALIZED (SELECT block, max(slot) AS slots FROM query_table(nodes) GROUP BY block),
    _denied AS MATERIALIZED (
        SELECT grown.match, grown.block, grown.found
        FROM _store.grown_match('_blocked', steps, tokens) AS grown
        LEFT JOIN _size ON _size.block = grown.block
        WHERE len(grown.found) = coalesce(_size.slots, (SELECT slots FROM _size WHERE block = 0))
    ),
    _same AS NOT MATERIALIZED (SELECT match, block, found FROM _denied LIMIT 0),
    _sparing AS NOT MATERIALIZED (FROM _store.differing_match('_denied', blocks, nodes)),
    _spared AS MATERIALIZED (
        FROM query_table(CASE WHEN contains(asked, '"same"') THEN '_sparing' ELSE '_same' END)
    )
    SELECT match FROM _denied ANTI JOIN _spared USING (match, block, found)
);

-- A row: a match of a pattern, by its number, with the tokens of its nodes in their order.
CREATE OR REPLACE MACRO _store.match_of_pattern(asked, subcorpus) AS TABLE (
    WITH _block AS MATERIALIZED (FROM _store.pattern_block(asked)),
    _node AS MATERIALIZED (FROM _store.pattern_node('_block')),
    _link AS MATERIALIZED (FROM _store.pattern_link('_block', '_node')),
    _test AS MATERIALIZED (FROM _store.pattern_test('_node', '_link')),
    _step AS MATERIALIZED (FROM _store.pattern_step('_node', '_link', '_test')),
    _token AS MATERIALIZED (FROM _store.token_of_pattern(asked, '_block', '_node', '_test', subcorpus)),
    _match AS MATERIALIZED (FROM _store.match_of_nodes(asked, '_block', '_node', '_step', '_token')),
    _nothing AS NOT MATERIALIZED (SELECT match FROM _match LIMIT 0),
    _added AS NOT MATERIALIZED (
        FROM _store.excluded_match(asked, '_match', '_block', '_node', '_link', '_test', '_step', '_token')
    ),
    _excluded AS MATERIALIZED (
        FROM query_table(CASE WHEN contains(asked, '"without"') THEN '_added' ELSE '_nothing' END)
    )
    SELECT _match.match, _match.sentence_id, _match.found
    FROM _match
    ANTI JOIN _excluded ON _excluded.match = _match.match
);

-- A row: a match of a pattern as a hit of evidence: its first node stands as the lexeme, its second as the context.
CREATE OR REPLACE MACRO _store.pattern_hit(pattern, subcorpus) AS TABLE (
    WITH _found AS MATERIALIZED (
        SELECT sentence_id, found[1] AS one, found[2] AS other FROM _store.match_of_pattern(pattern, subcorpus)
    )
    SELECT _found.sentence_id, coalesce(joined.top, _found.one['position']) AS position,
        coalesce(over.top, _found.other['position']) AS context_position, word.lexeme_id, NULL::VARCHAR AS path,
        context.lexeme_id AS context_id, NULL::BOOLEAN AS is_direct, NULL::INTEGER AS last_position
    FROM _found
    JOIN _store.word ON word.id = _found.one['word_id']
    LEFT JOIN _store.word AS context ON context.id = _found.other['word_id']
    LEFT JOIN _store.joined ON joined.sentence_id = _found.sentence_id AND joined.position = _found.one['position']
    LEFT JOIN _store.joined AS over
        ON over.sentence_id = _found.sentence_id AND over.position = _found.other['position']
);

-- True where matches can be shown; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_matches(pattern, top, subcorpus) AS
    CASE
        @frames_checks@
        WHEN NOT _store.bounded_pattern(_store.pattern_asked(pattern)) THEN false
        ELSE _store.check_subcorpus(subcorpus)
    END;

-- A row: a match of a pattern, by its number from 1, with the tokens of its nodes by their names, in the order in which
-- the pattern has them. sentence: its sent_id, or its number in the corpus; sentence_number: that in tokens and
-- sentences.
-- Columns: corpus VARCHAR, document VARCHAR, sentence VARCHAR, match BIGINT, tokens STRUCT("name" VARCHAR, "position"
-- INTEGER, form VARCHAR, lexeme VARCHAR)[], sentence_number INTEGER
-- Example: FROM matches(pattern('{"nodes": [{"name": "N", "tests": [[{"attribute": "lemma", "value": "shoot"}]]}]}'))
CREATE OR REPLACE MACRO matches(pattern, @parameters_of_matches@) AS TABLE (
    WITH _own_block AS MATERIALIZED (FROM _store.pattern_block(_store.pattern_asked(pattern)) WHERE block = 0),
    _named AS MATERIALIZED (SELECT slot, name FROM _store.pattern_node('_own_block')),
    _found AS MATERIALIZED (FROM _store.match_of_pattern(_store.pattern_asked(pattern), subcorpus)),
    _token AS (
        SELECT match, sentence_id, unnest(found) AS token, generate_subscripts(found, 1) AS slot
        FROM _found
    ),
    _listed AS (
        SELECT _token.match, _token.sentence_id, list({
                'name': _named.name, 'position': _token.token['position'], 'form': word.form, 'lexeme': lexeme.text
            } ORDER BY _token.slot ASC) AS tokens
        FROM _token
        JOIN _named ON _named.slot = _token.slot
        JOIN _store.word ON word.id = _token.token['word_id']
        LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
        GROUP BY _token.match, _token.sentence_id
    )
    SELECT corpus.name AS corpus, document.name AS document, coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
            SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
        )) AS sentence,
        row_number() OVER (
            ORDER BY _listed.sentence_id ASC, list_transform(_listed.tokens, lambda each: each['position']) ASC
        ) AS match,
        _listed.tokens, sentence.id AS sentence_number
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('matches', row(pattern, @given_to_matches@)) AS _constants
    CROSS JOIN _listed
    JOIN _store.sentence ON sentence.id = _listed.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    LEFT JOIN _store.document ON document.id = sentence.document_id
    WHERE _store.admitted('@stamp@', _store.check_matches(pattern, top, subcorpus))
    QUALIFY match <= coalesce(top, match)
    ORDER BY match ASC
);
