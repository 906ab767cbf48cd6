-- Matches of the nodes of a pattern in the trees, which grow node by node along its links.

-- A row: the step that finds the node of a slot: by what of a token it is looked up (head, enhanced heads or position,
-- or any), beside which node found before and how; and all links to those, of which each must hold. since: the first
-- slot whose token must be another one.
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
    SELECT node.block, node.slot, node.number,
        CASE WHEN node.shared THEN min(node.slot) OVER (PARTITION BY node.block) ELSE 1 END AS since,
        coalesce(_way.best['way'], 'any') AS way,
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
-- it came: found has the tokens of its nodes. Different nodes are different tokens, from the slot since on.
CREATE OR REPLACE MACRO _store.grown_match(begun, steps, tokens) AS TABLE (
    WITH RECURSIVE _each_token AS NOT MATERIALIZED (
        SELECT sentence_id, fits, {
                'position': position, 'head': head, 'bits': bits, 'word_id': word_id, 'relation_id': relation_id,
                'deps': deps
            } AS token
        FROM query_table(tokens)
        WHERE fits & (SELECT bit_or(1::BIGINT << number) FROM query_table(steps) WHERE block > 0 OR slot > 1) > 0
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
                SELECT _grown.*, step.number, step.since, step.looked_up, step.way, step.links, CASE
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
        WHERE NOT list_contains(
            list_transform(_due.found[_due.since:], lambda each: each['position']), _keyed.token['position']
        )
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
    LEFT JOIN _store.word AS one ON one.id = met.found[_same.slot_of_one]['word_id']
    LEFT JOIN _store.word AS other ON other.id = met.found[_same.slot_of_other]['word_id']
    WHERE coalesce(
        _store.value_of_word(one, _same.attribute_of_one) = _store.value_of_word(other, _same.attribute_of_other), false
    ) = _same.negated
);

-- A row: a match of the nodes of a pattern itself, with their tokens; the links and what is to be the same hold.
CREATE OR REPLACE MACRO _store.match_of_nodes(asked, blocks, nodes, steps, tokens) AS TABLE (
    WITH _begun AS NOT MATERIALIZED (
        SELECT NULL::BIGINT AS match, sentence_id, 0::BIGINT AS block,
            [{
                'position': position, 'head': head, 'bits': bits, 'word_id': word_id, 'relation_id': relation_id,
                'deps': deps
            }] AS found
        FROM query_table(tokens)
        WHERE (fits >> (SELECT number FROM query_table(nodes) WHERE slot = 1 AND block = 0)) & 1 = 1
    ),
    _whole AS NOT MATERIALIZED (
        SELECT sentence_id, block, found
        FROM _store.grown_match('_begun', steps, tokens)
        WHERE len(found) = (SELECT max(slot) FROM query_table(nodes) WHERE block = 0)
    ),
    _numbered_whole AS MATERIALIZED (SELECT *, row_number() OVER () AS match FROM _whole),
    _differing AS NOT MATERIALIZED (FROM _store.differing_match('_numbered_whole', blocks, nodes)),
    _same AS NOT MATERIALIZED (
        SELECT sentence_id, block, found FROM _numbered_whole ANTI JOIN _differing USING (match)
    )
    FROM query_table(CASE WHEN contains(asked, '"same"') THEN '_same' ELSE '_whole' END)
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
    -- A row: a block, and what it says of nodes of the match: of each clause the slot, and its tests as bits.
    _said AS MATERIALIZED (
        SELECT known_in AS block, list({'slot': slot, 'bits': bits}) AS clauses
        FROM (
            SELECT known_in, slot, bit_or(1::BIGINT << bit) AS bits
            FROM query_table(tests)
            WHERE known_in IS NOT NULL
            GROUP BY known_in, slot, clause
        )
        GROUP BY known_in
    ),
    _blocked AS NOT MATERIALIZED (
        SELECT met.match, met.sentence_id, own.block::BIGINT AS block, met.found
        FROM query_table(matches) AS met
        JOIN query_table(blocks) AS own ON own.block > 0
        LEFT JOIN _known ON _known.block = own.block
        LEFT JOIN _said ON _said.block = own.block
        WHERE (_known.links IS NULL OR _store.links_hold(_known.links, met.found)) AND (
            _said.clauses IS NULL OR len(list_filter(
                _said.clauses, lambda each: met.found[each['slot']]['bits'] & each['bits'] = 0
            )) = 0
        )
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

-- A row: a match of a pattern, with the tokens of its nodes in their order. (Millions are numbered and kept only where
-- they must be.)
CREATE OR REPLACE MACRO _store.match_of_pattern(asked, subcorpus) AS TABLE (
    WITH _block AS MATERIALIZED (FROM _store.pattern_block(asked)),
    _node AS MATERIALIZED (FROM _store.pattern_node('_block')),
    _link AS MATERIALIZED (FROM _store.pattern_link('_block', '_node')),
    _known AS MATERIALIZED (FROM _store.known_node('_block', '_node')),
    _test AS MATERIALIZED (FROM _store.pattern_test('_node', '_link', '_known')),
    _step AS MATERIALIZED (FROM _store.pattern_step('_node', '_link', '_test')),
    _token AS MATERIALIZED (FROM _store.token_of_pattern(asked, '_block', '_node', '_test', subcorpus)),
    _match AS NOT MATERIALIZED (FROM _store.match_of_nodes(asked, '_block', '_node', '_step', '_token')),
    _numbered AS MATERIALIZED (SELECT row_number() OVER () AS match, sentence_id, block, found FROM _match),
    _excluded AS NOT MATERIALIZED (
        FROM _store.excluded_match(asked, '_numbered', '_block', '_node', '_link', '_test', '_step', '_token')
    ),
    _spared AS NOT MATERIALIZED (SELECT sentence_id, found FROM _numbered ANTI JOIN _excluded USING (match)),
    _all AS NOT MATERIALIZED (SELECT sentence_id, found FROM _match)
    FROM query_table(CASE WHEN contains(asked, '"without"') THEN '_spared' ELSE '_all' END)
);
