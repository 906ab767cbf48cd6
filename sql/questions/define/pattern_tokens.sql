-- The tokens that may be nodes of a pattern: which words, relations and MISC pass its tests, and the sentences that are
-- searched.

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

-- A row: a word (sort 1), a relation (2), or what stands in MISC (3), by its id, and the tests that it passes, as bits.
CREATE OR REPLACE MACRO _store.passed_tests(tests) AS TABLE (
    -- A row: a test; with the values that it names, unless it is an expression, or of what is compared by its letters.
    WITH _test AS MATERIALIZED (
        SELECT *, CASE
                WHEN accents AND attribute NOT IN ('form', 'feats', 'misc')
                    AND NOT regexp_matches(pattern, '[\\.*+?()\[\]{}^$]')
                THEN string_split(pattern, '|')
            END AS named
        FROM query_table(tests)
    ),
    -- A row: an attribute that is tested; names has all values that may pass, NULL if they are not known.
    _key AS MATERIALIZED (
        SELECT attribute, split_part(attribute, '.', 1) AS kind,
            attribute[len(split_part(attribute, '.', 1)) + 2:] AS key,
            CASE WHEN NOT bool_or(negated OR named IS NULL) THEN flatten(list(named)) END AS names
        FROM _test
        GROUP BY attribute
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
    _worth AS MATERIALIZED (
        SELECT _each.*
        FROM _each
        JOIN _key ON _key.attribute = _each.attribute
        WHERE _key.names IS NULL OR list_contains(_key.names, _each.value)
    ),
    _value AS MATERIALIZED (SELECT DISTINCT attribute, value FROM _worth),
    _passed AS MATERIALIZED (
        SELECT _value.attribute, _value.value, bit_or(1::BIGINT << test.bit) AS bits
        FROM _value
        JOIN _test AS test ON test.attribute = _value.attribute
        WHERE coalesce(CASE
            WHEN test.named IS NOT NULL THEN list_contains(test.named, _value.value)
            WHEN test.accents THEN _store.passes(test.attribute, _value.value, test.pattern)
            ELSE _store.passes(test.attribute, strip_accents(_value.value), strip_accents(test.pattern))
        END, false) <> test.negated
        GROUP BY _value.attribute, _value.value
    )
    SELECT _worth.sort, _worth.id, bit_or(_passed.bits) AS bits
    FROM _worth
    JOIN _passed ON _passed.attribute = _worth.attribute AND _passed.value IS NOT DISTINCT FROM _worth.value
    GROUP BY _worth.sort, _worth.id
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

-- True where of each clause of a node without which there is no match (cuts, as _store.fitting_token has them) some
-- test is passed by some word, relation or MISC; otherwise an error that names one. (What must not be so may be so
-- nowhere.)
CREATE OR REPLACE MACRO _store.check_passed(tests, parts, cuts) AS (
    WITH _some AS MATERIALIZED (SELECT coalesce(bit_or(bits), 0) AS bits FROM query_table(parts)),
    _none AS (
        SELECT number, clause, min_by(attribute, bit) AS attribute, min_by(pattern, bit) AS pattern
        FROM query_table(tests)
        WHERE 1::BIGINT << number IN (SELECT fits FROM query_table(cuts))
        GROUP BY number, clause
        HAVING NOT bool_or(negated OR ((SELECT bits FROM _some) >> bit) & 1 = 1)
    )
    SELECT coalesce(bool_and(error('no token has ' || attribute || ' ' || coalesce(nullif(pattern, ''), '""') || CASE
            WHEN _none.attribute = 'upos' AND EXISTS (
                FROM _store.word AS own WHERE regexp_full_match(own.xpos, _none.pattern)
            ) THEN '; xpos has it'
            ELSE coalesce('; did you mean ' || (
                SELECT min_by(known.lemma, (damerau_levenshtein(lower(known.lemma), lower(_none.pattern)), known.lemma))
                FROM _store.word AS known
                WHERE _none.attribute = 'lemma'
                    AND damerau_levenshtein(lower(known.lemma), lower(_none.pattern)) * 3 <= length(_none.pattern)
            ) || '?', '')
        END)::BOOLEAN), true)
    FROM _none
);

-- One row: the tests that each relation passes, and the nodes that a token with it may be, in lists by the ids of
-- relations. (These are few, and to join them with tokens would put all of those into a hash table.)
CREATE OR REPLACE MACRO _store.bits_of_relations(parts) AS TABLE (
    SELECT list(part.bits ORDER BY each.id ASC) AS bits, list(coalesce(part.fits, 0) ORDER BY each.id ASC) AS fits
    FROM (SELECT unnest(range(1, 1 + (SELECT max(id) FROM _store.relation))) AS id) AS each
    LEFT JOIN query_table(parts) AS part ON part.sort = 2 AND part.id = each.id
);

-- A row: a sentence that has a token for one of the nodes of the rarest cut of those named (of each a match has one);
-- words names those that fit some nodes, relations what is told by them. (A list that is unnested is expected to be
-- short, so that it is looked up, and not all tokens in it.)
CREATE OR REPLACE MACRO _store.searched_sentence(cuts, words, relations, subcorpus) AS TABLE (
    WITH _rarest AS MATERIALIZED (
        SELECT cut.fits
        FROM query_table(cuts) AS cut
        LEFT JOIN query_table(words) AS word ON word.fits & cut.fits > 0
        GROUP BY cut.fits
        ORDER BY count(word.id) ASC, cut.fits ASC
        LIMIT 1
    ),
    _rare_word AS MATERIALIZED (
        SELECT word.id, word.fits & _rarest.fits AS fits
        FROM query_table(words) AS word
        JOIN _rarest ON word.fits & _rarest.fits > 0
    ),
    _in_any AS NOT MATERIALIZED (
        SELECT DISTINCT token.sentence_id
        FROM _store.token
        JOIN _rare_word ON _rare_word.id = token.word_id
        CROSS JOIN query_table(relations) AS relation
        WHERE _rare_word.fits & relation.fits[token.relation_id] > 0
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

-- A row: a token that may be some of the nodes named (as bits), in the sentences that are searched. cuts: nodes of
-- which each match has one. needs_misc: whether MISC is tested.
CREATE OR REPLACE MACRO _store.fitting_token(nodes, tests, cuts, needs_misc, subcorpus) AS TABLE (
    WITH _part AS MATERIALIZED (FROM _store.fitting_part(nodes, tests)),
    _word AS MATERIALIZED (SELECT id, bits, fits FROM _part WHERE sort = 1 AND fits > 0),
    _relation AS MATERIALIZED (FROM _store.bits_of_relations('_part')),
    _misc AS MATERIALIZED (SELECT id, bits, fits FROM _part WHERE sort = 3 AND fits > 0),
    _searched AS MATERIALIZED (
        FROM _store.searched_sentence(cuts, '_word', '_relation', subcorpus)
        WHERE (SELECT _store.check_passed(tests, '_part', cuts))
    ),
    _without_misc AS NOT MATERIALIZED (
        SELECT token.*, _word.bits | _relation.bits[token.relation_id] AS bits,
            _word.fits & _relation.fits[token.relation_id] AS fits
        FROM _store.token
        JOIN _searched ON _searched.sentence_id = token.sentence_id
        JOIN _word ON _word.id = token.word_id
        CROSS JOIN _relation
        WHERE _word.fits & _relation.fits[token.relation_id] > 0
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

-- A row: a token that may be some of the nodes named, with its enhanced dependencies where those are asked for.
CREATE OR REPLACE MACRO _store.token_of_pattern(asked, blocks, nodes, tests, subcorpus) AS TABLE (
    WITH _cut AS MATERIALIZED (SELECT 1::BIGINT << number AS fits FROM query_table(nodes) WHERE block = 0),
    _fitting AS MATERIALIZED (
        FROM _store.fitting_token(nodes, tests, '_cut', contains(asked, '"misc'), subcorpus)
        WHERE fits > 0 AND (SELECT _store.check_pattern(asked, blocks, nodes, tests))
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
