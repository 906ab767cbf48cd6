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

-- A query for sequences of tokens, for the lexeme of evidence or counts_by: tests of tokens, one after another, in
-- brackets. An attribute (form or word, lemma, upos, xpos, deprel, feats) is = or != a regular expression for all of
-- it, & joins tests, [] is any token; ?, {2} or {0,2} after ] says how often. Of feats, one feature may be matched.
-- Capitals make no difference in forms, unless (?-i) begins the expression; elsewhere %c after it ignores them.
-- Example: FROM evidence(cql('[upos="ADJ"]{2} [lemma="shoot|leaf"]'), NULL, NULL, top := 3)
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

-- Whether an expression names capitals, as [A-Z] and \p{Lu} do, and says nothing of them by (?i) or (?-i).
CREATE OR REPLACE MACRO _store.names_capitals(pattern) AS
    regexp_matches(pattern, '\[[^\]]*[A-Z]-[A-Z]|\\[pP]\{\^?L[lut]\}|\[:\^?(upper|lower):\]')
    AND NOT regexp_matches(pattern, '\(\?[a-zA-Z]*-?[a-zA-Z]*i');

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
            || '; there is form, lemma, upos, xpos, deprel, feats'
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

-- A row: a tag or relation that some word or token has, and how many have it.
CREATE OR REPLACE VIEW _store.tag AS
SELECT 'upos' AS attribute, upos AS value, count(*) AS words FROM _store.word GROUP BY upos
UNION ALL
SELECT 'xpos', xpos, count(*) FROM _store.word GROUP BY xpos
UNION ALL
SELECT 'deprel', text, 1 FROM _store.relation;

-- True where each tag and relation in the tests named (place, attribute, pattern), no expression, is some token's;
-- otherwise an error that names the one that is spelt nearly so or, if none is, those that most words have. tags names
-- those that there are.
CREATE OR REPLACE MACRO _store.check_tags(tests, tags) AS (
    WITH _compared AS (
        SELECT test.place, test.attribute, test.pattern, tag.value, tag.words,
            damerau_levenshtein(lower(tag.value), lower(test.pattern)) AS distance
        FROM query_table(tests) AS test
        JOIN query_table(tags) AS tag ON tag.attribute = test.attribute AND tag.value IS NOT NULL
        WHERE NOT regexp_matches(test.pattern, '[\\.*+?|()\[\]{}^$]')
    ),
    _of_none AS (
        SELECT attribute, pattern, min_by(value, (distance, -words, value)) FILTER (
                distance * 2 < greatest(length(value), length(pattern)) AND value <> '_'
            ) AS near, list(value ORDER BY words DESC, value ASC)[:20] AS common
        FROM _compared
        GROUP BY place, attribute, pattern
        HAVING NOT bool_or(value = pattern)
        ORDER BY place ASC
        LIMIT 1
    )
    SELECT coalesce(bool_and(error(
            'no token has ' || attribute || ' ' || coalesce(nullif(pattern, ''), '""')
            || coalesce('; did you mean ' || near || '?', '; there is ' || array_to_string(common, ', '))
        )::BOOLEAN), true)
    FROM _of_none
);

-- Whether a value of an attribute passes a test; of feats all of it, or one of the features. (An expression is compiled
-- for each value, so a plain text is compared only with forms of its length.)
CREATE OR REPLACE MACRO _store.passes(attribute, value, pattern) AS
    CASE
        WHEN attribute = 'form' AND regexp_full_match(pattern, '[\p{L}\p{N} _''’-]*')
            AND length(_store.letters_of(value)) <> length(_store.letters_of(pattern))
        THEN false
        WHEN attribute = 'form'
        THEN regexp_full_match(_store.letters_of(value), '(?i)' || _store.letters_of(pattern))
        WHEN regexp_full_match(pattern, '[\p{L}\p{N} _''’-]*') AND attribute NOT IN ('feats', 'misc')
        THEN value = pattern
        WHEN attribute IN ('feats', 'misc') THEN regexp_full_match(value, pattern)
        OR len(list_filter(string_split(value, '|'), lambda each: regexp_full_match(each, pattern))) > 0
        WHEN starts_with(pattern, '(?i)') THEN regexp_full_match(_store.letters_of(value), _store.letters_of(pattern))
        ELSE regexp_full_match(value, pattern)
    END;

-- A row: a word, or a relation (of_relation), by its id, and the elements of a query whose tests it passes, as bits;
-- tests of the other kind do not count. (An expression is compared once with each value that there is, and a word is
-- read once for each attribute that is tested, however many tests there are.)
CREATE OR REPLACE MACRO _store.passed(query) AS TABLE (
    WITH _test AS MATERIALIZED (FROM _store.test_of(query)),
    _each (of_relation, id, attribute, value) AS NOT MATERIALIZED (
        SELECT false, id, 'form', coalesce(form, '') FROM _store.word
        UNION ALL
        SELECT false, id, 'lemma', coalesce(lemma, '') FROM _store.word
        UNION ALL
        SELECT false, id, 'upos', coalesce(upos, '') FROM _store.word
        UNION ALL
        SELECT false, id, 'xpos', coalesce(xpos, '') FROM _store.word
        UNION ALL
        SELECT false, id, 'feats', coalesce(feats, '') FROM _store.word
        UNION ALL
        SELECT true, id, 'deprel', text FROM _store.relation
    ),
    _asked AS MATERIALIZED (SELECT _each.* FROM _each SEMI JOIN _test ON _test.attribute = _each.attribute),
    _value AS MATERIALIZED (SELECT DISTINCT attribute, value FROM _asked),
    _failed AS MATERIALIZED (
        SELECT _value.attribute, _value.value, bit_or(1::BIGINT << _test.element) AS bits
        FROM _value
        JOIN _test ON _test.attribute = _value.attribute
        WHERE _store.passes(_test.attribute, _value.value, _test.pattern) = _test.negated
        GROUP BY _value.attribute, _value.value
    ),
    _unfit AS (
        SELECT _asked.of_relation, _asked.id, bit_or(_failed.bits) AS bits
        FROM _asked
        JOIN _failed ON _failed.attribute = _asked.attribute AND _failed.value = _asked.value
        GROUP BY _asked.of_relation, _asked.id
    ),
    _own (of_relation, id) AS (
        SELECT false, id FROM _store.word
        UNION ALL
        SELECT true, id FROM _store.relation
    )
    SELECT _own.of_relation, _own.id, (
            SELECT bit_or(1::BIGINT << own.element) FROM _store.element_of(query) AS own
        ) & ~coalesce(_unfit.bits, 0) AS bits
    FROM _own
    LEFT JOIN _unfit ON _unfit.of_relation = _own.of_relation AND _unfit.id = _own.id
);

-- A row: a token that passes the tests of some elements of a query (bits), in the sentences that have tokens for all
-- elements that must come.
CREATE OR REPLACE MACRO _store.passing_token(query, subcorpus) AS TABLE (
    WITH _passed AS MATERIALIZED (FROM _store.passed(query) WHERE bits > 0),
    _must AS MATERIALIZED (
        SELECT bit_or(1::BIGINT << element) AS bits
        FROM _store.element_of(query)
        WHERE fewest > 0 AND trim(tests) <> ''
    ),
    _word AS MATERIALIZED (SELECT _passed.id, _passed.bits FROM _passed WHERE NOT _passed.of_relation),
    _narrow AS MATERIALIZED (
        SELECT _word.id, _word.bits & _must.bits AS bits FROM _word, _must WHERE _word.bits & _must.bits > 0
    ),
    _sentence AS MATERIALIZED (
        SELECT token.sentence_id
        FROM _store.token
        JOIN _narrow ON _narrow.id = token.word_id
        GROUP BY token.sentence_id
        HAVING bit_or(_narrow.bits) = (SELECT _must.bits FROM _must)
    ),
    _in_any AS NOT MATERIALIZED (FROM _sentence),
    _in_subcorpus AS NOT MATERIALIZED (
        SELECT _sentence.sentence_id
        FROM _sentence
        SEMI JOIN _store.subcorpus_sentence AS chosen
            ON chosen.sentence_id = _sentence.sentence_id AND chosen.subcorpus_id = _store.subcorpus_id(subcorpus)
    ),
    _searched AS MATERIALIZED (
        FROM query_table(CASE WHEN subcorpus IS NULL THEN '_in_any' ELSE '_in_subcorpus' END)
    )
    SELECT token.sentence_id, token.position, token.word_id, _word.bits & label.bits AS bits
    FROM _store.token
    JOIN _searched ON _searched.sentence_id = token.sentence_id
    JOIN _word ON _word.id = token.word_id
    JOIN _passed AS label ON label.of_relation AND label.id = token.relation_id
    WHERE _word.bits & label.bits > 0
);

-- A row: a sequence of tokens that a query matches, from its first position, with the word there, to its last; each
-- once. (The word comes along, as a join with all tokens of the file may be planned from their side.)
CREATE OR REPLACE MACRO _store.sequence(query, subcorpus) AS TABLE (
    WITH RECURSIVE _token AS MATERIALIZED (FROM _store.passing_token(query, subcorpus)),
    _element AS MATERIALIZED (
        SELECT element, fewest, most FROM _store.element_of(query)
        UNION ALL
        SELECT 0, 0, 0
        UNION ALL
        SELECT 1 + max(element), 0, 0 FROM _store.element_of(query)
    ),
    -- A row: an element of the query and one that may come next, itself included (next), with how often the first may
    -- come; 0 stands for the beginning, and a number after the last for the end.
    _step AS MATERIALIZED (
        SELECT own.element, own.fewest, own.most, other.element AS next
        FROM _element AS own
        JOIN _element AS other ON other.element >= own.element
        LEFT JOIN _element AS passed
            ON passed.element > own.element AND passed.element < other.element AND passed.fewest > 0
        WHERE passed.element IS NULL
    ),
    _matched (sentence_id, position, word_id, last_position, element, times) AS (
        SELECT _token.sentence_id, _token.position, _token.word_id, _token.position, _step.next, 1
        FROM _token
        JOIN _step ON _step.element = 0 AND (_token.bits >> _step.next) & 1 = 1
        UNION
        SELECT _matched.sentence_id, _matched.position, _matched.word_id, _token.position, _step.next,
            CASE WHEN _step.next = _matched.element THEN _matched.times + 1 ELSE 1 END
        FROM _matched
        JOIN _step
            ON _step.element = _matched.element AND CASE
                WHEN _step.next = _step.element THEN _matched.times < _step.most
                ELSE _matched.times >= _step.fewest
            END
        JOIN _token
            ON _token.sentence_id = _matched.sentence_id AND _token.position = _matched.last_position + 1
            AND (_token.bits >> _step.next) & 1 = 1
    )
    SELECT DISTINCT _matched.sentence_id, _matched.position, _matched.word_id, _matched.last_position
    FROM _matched
    JOIN _step
        ON _step.element = _matched.element AND _step.next = (SELECT max(_step.next) FROM _step)
        AND _matched.times >= _step.fewest
);

-- A row: a sequence as a hit of evidence; its lexeme is that of its first token, NULL where that is none.
CREATE OR REPLACE MACRO _store.sequence_hit(query, subcorpus) AS TABLE (
    WITH _tested AS MATERIALIZED (
        SELECT (element, number) AS place, attribute, pattern FROM _store.test_of(query)
    ),
    _sequence AS MATERIALIZED (
        FROM _store.sequence(query, subcorpus)
        WHERE (SELECT _store.check_query(query) AND _store.check_tags('_tested', '_store.tag'))
    )
    SELECT _sequence.sentence_id, _sequence.position, NULL::INTEGER AS context_position, word.lexeme_id,
        NULL::VARCHAR AS path, NULL::INTEGER AS context_id, NULL::BOOLEAN AS is_direct, _sequence.last_position
    FROM _sequence
    JOIN _store.word ON word.id = _sequence.word_id
);
