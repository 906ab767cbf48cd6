-- Sequences of tokens that a pattern or a query matches: stretches of a sentence, found state by state.

-- A row: a state of the sequence of a pattern: its node, whether a match may begin or end with it, and whether only at
-- the start or the end of a sentence.
CREATE OR REPLACE MACRO _store.state_of_pattern(asked, nodes) AS TABLE (
    WITH _sequence AS MATERIALIZED (
        SELECT from_json(json_extract(asked, '$.sequence'), '{
            "states": ["VARCHAR"], "first": ["BIGINT"], "at_start": ["BIGINT"], "last": ["BIGINT"],
            "at_end": ["BIGINT"]
        }') AS said
    ),
    _state AS (
        SELECT unnest(said['states']) AS name, generate_subscripts(said['states'], 1) AS state, said FROM _sequence
    )
    SELECT _state.state, coalesce(
            node.number, error('no node ' || coalesce(_state.name, 'NULL') || ' in the pattern')::BIGINT
        ) AS number, node.slot,
        coalesce(list_contains(list_concat(said['first'], said['at_start']), _state.state), false) AS begins,
        coalesce(list_contains(said['at_start'], _state.state), false) AS at_start,
        coalesce(list_contains(list_concat(said['last'], said['at_end']), _state.state), false) AS ends,
        coalesce(list_contains(said['at_end'], _state.state), false) AS at_end
    FROM _state
    LEFT JOIN query_table(nodes) AS node ON node.name = _state.name
);

-- A row: a state of the sequence of a pattern, and one that may come next.
CREATE OR REPLACE MACRO _store.move_of_pattern(asked) AS TABLE (
    SELECT move[1] AS state, move[2] AS next
    FROM (SELECT unnest(from_json(json_extract(asked, '$.sequence.next'), '[["BIGINT"]]')) AS move)
);

-- A row: nodes (fits, as bits) of which each match has one: those without which no match comes to its end, all that it
-- may begin with, and all that it may end with.
CREATE OR REPLACE MACRO _store.cut_of_sequence(nodes, states, moves) AS TABLE (
    -- A row: a state that can be reached without a node.
    WITH RECURSIVE _avoiding (number, state, ends) AS (
        SELECT node.number, own.state, own.ends
        FROM query_table(nodes) AS node
        JOIN query_table(states) AS own ON own.begins AND own.number <> node.number
        UNION
        SELECT _avoiding.number, own.state, own.ends
        FROM _avoiding
        JOIN query_table(moves) AS move ON move.state = _avoiding.state
        JOIN query_table(states) AS own ON own.state = move.next AND own.number <> _avoiding.number
    )
    SELECT 1::BIGINT << number AS fits
    FROM query_table(nodes)
    WHERE number NOT IN (SELECT number FROM _avoiding WHERE ends)
    UNION ALL
    SELECT bit_or(1::BIGINT << number) FROM query_table(states) WHERE begins
    UNION ALL
    SELECT bit_or(1::BIGINT << number) FROM query_table(states) WHERE ends
);

-- Whether a sequence can be matched by tokens that no test is about, wherever they stand, and by ever more of them.
CREATE OR REPLACE MACRO _store.matches_any(tests, states, moves) AS (
    WITH RECURSIVE _free AS MATERIALIZED (
        SELECT state, begins AND NOT at_start AS begins, ends AND NOT at_end AS ends
        FROM query_table(states)
        WHERE number NOT IN (SELECT number FROM query_table(tests) WHERE number IS NOT NULL)
    ),
    -- A row: a state that comes as one of so many; where these are more than there are states, some come again.
    _reached (state, ends, steps) AS (
        SELECT state, ends, 1 FROM _free WHERE begins
        UNION
        SELECT _free.state, _free.ends, _reached.steps + 1
        FROM _reached
        JOIN query_table(moves) AS move ON move.state = _reached.state
        JOIN _free ON _free.state = move.next
        WHERE _reached.steps <= (SELECT count(*) FROM _free)
    )
    SELECT coalesce(bool_or(ends AND steps > (SELECT count(*) FROM _free)), false) FROM _reached
);

-- The tokens of a match with another one in a slot; none where none are wanted.
CREATE OR REPLACE MACRO _store.with_token(found, slot, token) AS
    CASE WHEN len(found) = 0 THEN found ELSE list_concat(found[:slot - 1], [token], found[slot + 1:]) END;

-- A row: a stretch of the tokens named (with the size of their sentences, where that matters) that takes the states
-- from one with which a match may begin to one with which it may end. With slots, found has the last token of each
-- node, in its slot. soonest: a match is not followed further. (Each step goes a token further, so that the same row
-- can come twice only from one step: to compare all of them with all steps before takes five times as long.)
CREATE OR REPLACE MACRO _store.matched_stretch(tokens, states, moves, slots, soonest) AS TABLE (
    WITH RECURSIVE _token AS NOT MATERIALIZED (
        SELECT sentence_id, position, word_id, fits, size, {
                'position': position, 'word_id': word_id, 'relation_id': relation_id
            } AS token
        FROM query_table(tokens)
    ),
    _move AS MATERIALIZED (
        SELECT move.state, own.state AS next, own.number, own.slot, own.ends, own.at_end
        FROM query_table(moves) AS move
        JOIN query_table(states) AS own ON own.state = move.next
    ),
    _begun AS NOT MATERIALIZED (
        SELECT _token.*, own.state, own.slot, own.ends AND (NOT own.at_end OR _token.position = _token.size) AS ends
        FROM _token
        JOIN query_table(states) AS own
            ON own.begins AND (_token.fits >> own.number) & 1 = 1 AND (NOT own.at_start OR _token.position = 1)
    ),
    _matched (sentence_id, position, word_id, last_position, state, found, ends) AS (
        SELECT sentence_id, position, word_id, position, state,
            list_transform(range(1, slots + 1), lambda place: CASE WHEN place = slot THEN token END), ends
        FROM _begun
        UNION ALL
        SELECT DISTINCT _matched.sentence_id, _matched.position, _matched.word_id, _token.position, _move.next,
            _store.with_token(_matched.found, _move.slot, _token.token),
            _move.ends AND (NOT _move.at_end OR _token.position = _token.size)
        FROM _matched
        JOIN _move ON _move.state = _matched.state
        JOIN _token
            ON _token.sentence_id = _matched.sentence_id AND _token.position = _matched.last_position + 1
            AND (_token.fits >> _move.number) & 1 = 1
        WHERE NOT (soonest AND _matched.ends)
    )
    SELECT sentence_id, position, word_id, last_position, found FROM _matched WHERE ends
);

-- A row: a stretch of those named that a strategy takes: all; standard, of those that begin alike the one that ends
-- first, and of those of these that end alike the one that begins first; shortest, in which no other one lies; or
-- longest, which lies in no other one. labelled: whether found is wanted.
CREATE OR REPLACE MACRO _store.stretch_taken(stretches, strategy, labelled) AS TABLE (
    WITH _all AS NOT MATERIALIZED (
        SELECT DISTINCT sentence_id, position, word_id, last_position FROM query_table(stretches)
    ),
    _nearest AS NOT MATERIALIZED (
        SELECT sentence_id, position, word_id, min(last_position) AS last_position
        FROM query_table(stretches)
        GROUP BY sentence_id, position, word_id
    ),
    _standard AS NOT MATERIALIZED (
        SELECT sentence_id, min(position) AS position, arg_min(word_id, position) AS word_id, last_position
        FROM _nearest
        GROUP BY sentence_id, last_position
    ),
    _shortest AS NOT MATERIALIZED (
        FROM _nearest
        QUALIFY coalesce(last_position < min(last_position) OVER (
            PARTITION BY sentence_id ORDER BY position ASC ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ), true)
    ),
    _farthest AS NOT MATERIALIZED (
        SELECT sentence_id, position, word_id, max(last_position) AS last_position
        FROM query_table(stretches)
        GROUP BY sentence_id, position, word_id
    ),
    _longest AS NOT MATERIALIZED (
        FROM _farthest
        QUALIFY coalesce(last_position > max(last_position) OVER (
            PARTITION BY sentence_id ORDER BY position ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true)
    ),
    _labelled AS NOT MATERIALIZED (
        SELECT sentence_id, position, word_id, last_position, min(stretch.found) AS found
        FROM query_table('_' || strategy) AS taken
        JOIN query_table(stretches) AS stretch USING (sentence_id, position, word_id, last_position)
        GROUP BY sentence_id, position, word_id, last_position
    ),
    _bare AS NOT MATERIALIZED (
        SELECT *, NULL::STRUCT("position" INTEGER, word_id INTEGER, relation_id INTEGER)[] AS found
        FROM query_table('_' || strategy)
    )
    FROM query_table(CASE WHEN labelled THEN '_labelled' ELSE '_bare' END)
);

-- The strategy that a pattern names.
CREATE OR REPLACE MACRO _store.strategy_of(asked) AS
    CASE
        WHEN json_extract_string(asked, '$.sequence.strategy') IN ('all', 'shortest', 'longest')
        THEN json_extract_string(asked, '$.sequence.strategy')
        ELSE 'standard'
    END;

-- True where the sequence of a pattern can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_sequence(asked, nodes, tests, states, moves) AS
    CASE
        WHEN json_array_length(asked, '$.sequence.states') > 1000
        THEN error('the sequence has ' || json_array_length(asked, '$.sequence.states') || ' states; at most 1000')
        WHEN json_extract_string(asked, '$.sequence.strategy') NOT IN ('standard', 'shortest', 'longest', 'all')
        THEN error(
            'the strategy is ' || json_extract_string(asked, '$.sequence.strategy')
            || '; expected standard, shortest, longest or all'
        )
        WHEN (SELECT count(*) FROM query_table(states) WHERE begins) = 0
            OR (SELECT count(*) FROM query_table(states) WHERE ends) = 0
        THEN error('the sequence has no first or no last state; see meaning.md 7.9')
        WHEN (
            SELECT count(*)
            FROM query_table(moves) AS move
            LEFT JOIN query_table(states) AS own ON own.state = move.state
            LEFT JOIN query_table(states) AS other ON other.state = move.next
            WHERE own.state IS NULL OR other.state IS NULL
        ) > 0
        THEN error('next of the sequence has pairs of states, as [1, 2]; one has a state that is not there')
        WHEN (
            SELECT count(*)
            FROM (
                SELECT unnest(from_json(json_extract(asked, '$.sequence.' || list), '["BIGINT"]')) AS state
                FROM (SELECT unnest(['first', 'last', 'at_start', 'at_end']) AS list)
            ) AS said
            ANTI JOIN query_table(states) AS known ON known.state = said.state
        ) > 0
        THEN error('first or last of the sequence, or at_start or at_end, has a state that is not there')
        WHEN (
            SELECT count(*) FROM query_table(nodes) WHERE number NOT IN (SELECT number FROM query_table(states))
        ) > 0
        THEN error('a node of the pattern is in no state of its sequence')
        WHEN regexp_matches(asked, '"(edges|order|without)"\s*:')
        THEN error('a sequence has no edges, order or without; a pattern of trees has')
        WHEN NOT contains(asked, '"same"') AND _store.matches_any(tests, states, moves) THEN error(
            'the sequence may match any number of any tokens; one that is not optional needs a test, as [upos="NOUN"], '
            || 'or say how many, as []{2}'
        )
        ELSE true
    END;

-- A row: a stretch of tokens that the sequence of a pattern matches. labelled: whether found has the tokens of its
-- nodes.
CREATE OR REPLACE MACRO _store.stretch_of_pattern(asked, labelled, subcorpus) AS TABLE (
    WITH _block AS MATERIALIZED (FROM _store.pattern_block(asked)),
    _node AS MATERIALIZED (FROM _store.pattern_node('_block')),
    _link AS MATERIALIZED (FROM _store.pattern_link('_block', '_node')),
    _known AS MATERIALIZED (FROM _store.known_node('_block', '_node')),
    _test AS MATERIALIZED (FROM _store.pattern_test('_node', '_link', '_known')),
    _state AS MATERIALIZED (FROM _store.state_of_pattern(asked, '_node')),
    _move AS MATERIALIZED (FROM _store.move_of_pattern(asked)),
    _cut AS MATERIALIZED (FROM _store.cut_of_sequence('_node', '_state', '_move')),
    _fitting AS MATERIALIZED (
        FROM _store.fitting_token('_node', '_test', '_cut', contains(asked, '"misc'), subcorpus)
        WHERE fits > 0 AND (
            SELECT _store.check_pattern(asked, '_block', '_node', '_test')
                AND _store.check_sequence(asked, '_node', '_test', '_state', '_move')
        )
    ),
    _bare AS NOT MATERIALIZED (SELECT *, NULL::INTEGER AS size FROM _fitting),
    _searched AS NOT MATERIALIZED (SELECT DISTINCT sentence_id FROM _fitting),
    _size AS NOT MATERIALIZED (
        SELECT token.sentence_id, max(token.position) AS size
        FROM _store.token
        SEMI JOIN _searched ON _searched.sentence_id = token.sentence_id
        GROUP BY token.sentence_id
    ),
    _sized AS NOT MATERIALIZED (FROM _fitting JOIN _size USING (sentence_id)),
    _token AS NOT MATERIALIZED (FROM query_table(CASE WHEN contains(asked, '"at_end"') THEN '_sized' ELSE '_bare' END)),
    _stretch AS MATERIALIZED (
        FROM _store.matched_stretch(
            '_token', '_state', '_move',
            CASE WHEN labelled OR contains(asked, '"same"') THEN (SELECT count(*) FROM _node) ELSE 0 END,
            NOT contains(asked, '"same"') AND _store.strategy_of(asked) IN ('standard', 'shortest')
        )
    ),
    _numbered AS MATERIALIZED (SELECT *, 0 AS block, row_number() OVER () AS match FROM _stretch),
    _differing AS NOT MATERIALIZED (FROM _store.differing_match('_numbered', '_block', '_node')),
    _same AS NOT MATERIALIZED (SELECT * FROM _numbered ANTI JOIN _differing USING (match)),
    _holding AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN contains(asked, '"same"') THEN '_same' ELSE '_stretch' END)
    )
    FROM _store.stretch_taken('_holding', _store.strategy_of(asked), labelled)
);
