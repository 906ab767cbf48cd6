-- Sequences of tokens within a sentence, as a query such as [lemma="take"] []{0,2} [upos="NOUN"] asks for them.

-- True where a query for sequences is small enough to be answered; otherwise an error that names the limit. (What is
-- in quotes is text. A constant is checked before anything runs.)
CREATE OR REPLACE MACRO _store.bounded_query(query) AS
    CASE
        WHEN length(query) > 10000 THEN error('the query has ' || length(query) || ' characters; at most 10000')
        WHEN len(regexp_extract_all(_store.unquoted_query(query), '=')) > 100 THEN error(
            'the query has ' || len(regexp_extract_all(_store.unquoted_query(query), '=')) || ' tests; at most 100'
        )
        WHEN len(regexp_extract_all(_store.unquoted_query(query), '\[')) > 60 THEN error(
            'the query has ' || len(regexp_extract_all(_store.unquoted_query(query), '\['))
            || ' tokens in brackets; at most 60'
        )
        WHEN len(regexp_extract_all(_store.unquoted_query(query), '\?|\{[^}]*,')) > 10 THEN error(
            'the query has ' || len(regexp_extract_all(_store.unquoted_query(query), '\?|\{[^}]*,'))
            || ' tokens with ? or {n,m}; at most 10'
        )
        ELSE true
    END;
CREATE OR REPLACE MACRO _store.unquoted_query(query) AS
    regexp_replace(query, '"(?:[^"\\]|\\.)*"', '""', 'g');

-- A query for sequences of tokens, in place of the lexeme of evidence or counts_by: tests of tokens in brackets, one
-- after another. A test compares an attribute (form or word, lemma, upos, xpos, deprel, feats) by = or != with a
-- regular expression for its whole value; & joins tests, [] is any token; ?, {2} or {0,2} after ] says how often. A
-- test of feats takes one feature. Case is ignored in forms, unless the expression begins with (?-i); elsewhere it
-- counts, unless %c follows. Each stretch that matches is found. (Python reads all of CQL, with its strategies, and
-- writes it as a pattern.)
-- Example: FROM evidence(cql('[upos="ADJ"]{1,2} [upos="NOUN"]'), top := 3)
CREATE OR REPLACE MACRO cql(query VARCHAR) AS
    {'cql': CASE WHEN @in_use@ AND _store.bounded_query(query) THEN query END};

-- The regular expression for a test of a token.
CREATE OR REPLACE MACRO _store.test_text() AS
    '\w+\s*!?=\s*"(?:[^"\\]|\\.)*"(?:\s*%c)?';

-- The longest beginning of a query that may be the beginning of a right one.
CREATE OR REPLACE MACRO _store.right_beginning(query) AS
    regexp_extract(query, replace(
        '^(?:\s*\[\s*(?:TEST\s*(?:&\s*TEST\s*)*)?\]\s*(?:\{\s*\d+\s*(?:,\s*\d+\s*)?\}|\?)?\s*)*'
        || '(?:\[\s*(?:TEST\s*(?:&\s*TEST\s*)*(?:&\s*)?)?(?:\w+\s*(?:!?=\s*)?)?)?',
        'TEST', _store.test_text()
    ));

-- What should follow the right beginning of a query.
CREATE OR REPLACE MACRO _store.expected_after(beginning) AS
    CASE
        WHEN regexp_matches(beginning, '=\s*$') THEN 'a regular expression in double quotes'
        WHEN regexp_matches(beginning, '(\[|&)\s*$')
        THEN CASE WHEN suffix(trim(beginning), '[') THEN '] or ' ELSE '' END || 'an attribute, as lemma="take"'
        WHEN regexp_matches(beginning, '"\s*(%c\s*)?$') THEN '& or ]'
        WHEN regexp_matches(beginning, '\w\s*$') THEN '= or !='
        WHEN regexp_matches(beginning, '\]\s*$') THEN '[, ?, {2} or {0,2}'
        ELSE '['
    END;

-- A row: an element of a query, from 1: its tests as text, and how often it may come, at least and at most.
CREATE OR REPLACE MACRO _store.element_of(query) AS TABLE (
    WITH _text AS (
        SELECT unnest(
                regexp_extract_all(query, '\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]\s*(?:\{[^}]*\}|\?)?')
            ) AS text, generate_subscripts(
                regexp_extract_all(query, '\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]\s*(?:\{[^}]*\}|\?)?'), 1
            ) AS element
    ),
    _cut AS (
        SELECT element, regexp_extract(text, '^\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]', 1) AS tests,
            regexp_extract(text, '(\{[^}"]*\}|\?)?$') AS times
        FROM _text
    )
    SELECT element, tests, CASE
            WHEN times = '?' THEN 0 WHEN times = '' THEN 1
            ELSE least(coalesce(try_cast(regexp_extract(times, '\d+') AS HUGEINT), 1000), 1000)
        END::INTEGER AS fewest, CASE
            WHEN times IN ('?', '') THEN 1
            ELSE least(coalesce(try_cast(regexp_extract(times, '(\d+)\s*\}$', 1) AS HUGEINT), 1000), 1000)
        END::INTEGER AS most
    FROM _cut
);

-- A row: a test of an element of a query: its number there, its attribute, whether it is !=, and the expression.
CREATE OR REPLACE MACRO _store.test_of(query) AS TABLE (
    WITH _text AS (
        SELECT element, unnest(regexp_extract_all(tests, _store.test_text())) AS text,
            generate_subscripts(regexp_extract_all(tests, _store.test_text()), 1) AS number
        FROM _store.element_of(query)
    )
    SELECT element, number, CASE
            WHEN regexp_matches(text, '^word\b') THEN 'form' ELSE regexp_extract(text, '^\w+')
        END AS attribute, regexp_matches(text, '^\w+\s*!') AS negated,
        CASE WHEN suffix(text, '%c') THEN '(?i)' ELSE '' END
            || replace(regexp_extract(text, '^[^"]*"(.*)"(?:\s*%c)?$', 1, 's'), '\"', '"') AS pattern
    FROM _text
);

-- True where a query for sequences can be answered; otherwise an error that says where it is wrong.
CREATE OR REPLACE MACRO _store.check_query(query) AS (
    SELECT CASE
        WHEN query IS NULL THEN error('the query is NULL; expected as [lemma="take"] [upos="NOUN"]')
        WHEN NOT _store.bounded_query(query) THEN false
        WHEN length(_store.right_beginning(query)) < length(query)
            OR NOT regexp_matches(query, '\]\s*(\{[^}"]*\}|\?)?\s*$')
        THEN error(
            query || ': expected ' || _store.expected_after(_store.right_beginning(query)) || ' at character '
            || (1 + length(_store.right_beginning(query)))
        )
        WHEN own.unknown IS NOT NULL THEN error(
            query || ': no attribute ' || own.unknown || ' at character ' || strpos(query, own.unknown)
            || '; expected form, lemma, upos, xpos, deprel or feats'
        )
        WHEN own.wrong_times IS NOT NULL THEN error(
            query || ': the token ' || own.wrong_times || ' comes at least ' || own.fewest || ' and at most '
            || own.most || ' times; expected {n,m} with n no more than m, and m from 1 to 100'
        )
        WHEN own.capitals IS NOT NULL THEN error(
            query || ': capitals make no difference in forms; for capitals alone write form="(?-i)' || own.capitals
            || '", for any letters form="(?i)' || own.capitals || '"'
        )
        WHEN NOT own.narrows THEN error(
            query || ' may match any token; at least one token that is not optional needs a test, as [upos="NOUN"]'
        )
        ELSE true
    END
    FROM (
        SELECT min(element) FILTER (fewest > most OR most > 100 OR most < 1) AS wrong_times,
            arg_min(fewest, element) FILTER (fewest > most OR most > 100 OR most < 1) AS fewest,
            arg_min(most, element) FILTER (fewest > most OR most > 100 OR most < 1) AS most,
            coalesce(bool_or(fewest > 0 AND trim(tests) <> ''), false) AS narrows, (
                SELECT min(test.attribute)
                FROM _store.test_of(query) AS test
                WHERE test.attribute NOT IN ('form', 'lemma', 'upos', 'xpos', 'deprel', 'feats')
            ) AS unknown, (
                SELECT min(test.pattern)
                FROM _store.test_of(query) AS test
                WHERE test.attribute = 'form' AND _store.names_capitals(test.pattern)
            ) AS capitals
        FROM _store.element_of(query)
    ) AS own
);

-- A row: an element of a query as a node (as _store.pattern_node has it).
CREATE OR REPLACE MACRO _store.node_of_query(query) AS TABLE (
    SELECT element AS number, 0 AS block, element AS slot, '_' || element AS name FROM _store.element_of(query)
);

-- A row: a test of an element, which must hold (as _store.pattern_test has it).
CREATE OR REPLACE MACRO _store.test_of_node(query) AS TABLE (
    SELECT row_number() OVER (ORDER BY element ASC, number ASC) - 1 AS bit, element AS number, number AS clause,
        NULL::BIGINT AS link, attribute, pattern, negated, true AS accents
    FROM _store.test_of(query)
);

-- A row: a state of a query: an element that comes for the n-th time (times), and whether a match may begin or end with
-- it.
CREATE OR REPLACE MACRO _store.state_of_query(query) AS TABLE (
    WITH _element AS MATERIALIZED (
        SELECT *, coalesce(bool_or(fewest > 0) OVER (
                ORDER BY element ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), false) AS after_others, coalesce(bool_or(fewest > 0) OVER (
                ORDER BY element ASC ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
            ), false) AS before_others
        FROM _store.element_of(query)
    )
    SELECT row_number() OVER (ORDER BY _element.element ASC, own.times ASC) AS state, _element.element AS number,
        _element.element AS slot, own.times, _element.fewest,
        own.times = 1 AND NOT _element.after_others AS begins, false AS at_start,
        own.times >= _element.fewest AND NOT _element.before_others AS ends, false AS at_end
    FROM _element, (SELECT unnest(range(1, 101)) AS times) AS own
    WHERE own.times <= _element.most
);

-- A row: a state of those named and one that may come next: the element once more, or another one, where those between
-- may be left out.
CREATE OR REPLACE MACRO _store.move_of_query(query, states) AS TABLE (
    SELECT own.state, other.state AS next
    FROM query_table(states) AS own
    JOIN query_table(states) AS other
        ON CASE
            WHEN other.number = own.number THEN other.times = own.times + 1
            ELSE other.number > own.number AND other.times = 1 AND own.times >= own.fewest
        END
    LEFT JOIN _store.element_of(query) AS passed
        ON passed.element > own.number AND passed.element < other.number AND passed.fewest > 0
    WHERE passed.element IS NULL
);

-- A row: a stretch of tokens that a query matches; each once.
CREATE OR REPLACE MACRO _store.stretch_of_query(query, subcorpus) AS TABLE (
    WITH _node AS MATERIALIZED (FROM _store.node_of_query(query)),
    _test AS MATERIALIZED (FROM _store.test_of_node(query)),
    _state AS MATERIALIZED (FROM _store.state_of_query(query)),
    _move AS MATERIALIZED (FROM _store.move_of_query(query, '_state')),
    _cut AS MATERIALIZED (FROM _store.cut_of_sequence('_node', '_state', '_move')),
    _token AS MATERIALIZED (
        SELECT *, NULL::INTEGER AS size
        FROM _store.fitting_token('_node', '_test', '_cut', false, subcorpus)
        WHERE fits > 0 AND (SELECT _store.check_query(query) AND _store.check_tags_of_tests('_test'))
    )
    SELECT DISTINCT sentence_id, position, word_id, last_position, found
    FROM _store.matched_stretch('_token', '_state', '_move', 0, false)
);
