-- What tells sentences apart: a corpus, a document, a kind of metadata, or a function of one, such as century(date),
-- bin(age, 12) or age::INTEGER. Conditions of subcorpora call number_of and function_of by the name of a store, and so
-- these two name no other macro.

-- The number that a text is: digits, with or without a sign, a point and an exponent; NULL for any other, also nan and
-- inf. This decides wherever metadata is compared as numbers. (A kind of metadata has the type of a number only if all
-- its values are written as SQL shows them again: sql/counting/metadata.sql.)
CREATE OR REPLACE MACRO _store.number_of(value) AS
    CASE
        WHEN regexp_full_match(trim(value::VARCHAR), '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?')
            AND isfinite(try_cast(trim(value::VARCHAR) AS DOUBLE))
        THEN try_cast(trim(value::VARCHAR) AS DOUBLE)
    END;

-- A function of a value: year and month of a date; decade (its first year, 1890 of 1893) and century (19 of 1801 to
-- 1900) of a date, or of a year; of a number bin (the largest multiple of the argument that is not above it), round (to
-- as many digits as the argument says), integer (rounded) and double (itself). NULL where the value is no such thing.
-- number: the value's, as number_of has it. (Quotients are rounded, so that .3 is the third bin of .1, not the second.)
CREATE OR REPLACE MACRO _store.function_of(function, value, number, argument) AS
    CASE function
        WHEN 'year' THEN year(try_cast(nullif(regexp_extract(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), '') AS DATE))
        WHEN 'month' THEN month(try_cast(nullif(regexp_extract(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), '') AS DATE))
        WHEN 'decade' THEN 10 * floor(coalesce(
            year(try_cast(nullif(regexp_extract(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), '') AS DATE)), number
        ) / 10)
        WHEN 'century' THEN list_transform([coalesce(
            year(try_cast(nullif(regexp_extract(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), '') AS DATE)), floor(number)
        )], lambda own: CASE WHEN own > 0 THEN floor((own - 1) / 100) + 1 ELSE trunc(own / 100) - 1 END)[1]
        WHEN 'bin' THEN round(floor(round(number / argument, 9)) * argument, 9)
        WHEN 'round' THEN round(number, coalesce(argument, 0)::INTEGER)
        WHEN 'integer' THEN round(number)
        WHEN 'double' THEN number
    END::DOUBLE;

-- The names of what is said of documents and of sentences.
CREATE OR REPLACE MACRO _store.kinds() AS (
    SELECT list(DISTINCT said.name)
    FROM (
        SELECT unnest(json_keys(to_json(one))) AS name
        FROM (SELECT * FROM _store.document_metadata LIMIT 1) AS one
        UNION ALL
        SELECT unnest(json_keys(to_json(one)))
        FROM (SELECT * FROM _store.sentence_metadata LIMIT 1) AS one
    ) AS said
    WHERE said.name NOT IN ('document_id', 'sentence_id')
);

-- The parts of text such as bin(age, 12) or age::INTEGER, which is no column's name: the function, a cast's type in its
-- place; the column; the argument. '' for what is not there.
CREATE OR REPLACE MACRO _store.call_parts(kind) AS
    CASE
        WHEN regexp_matches(kind, '::\s*\w+\s*$') THEN [
            lower(regexp_extract(kind, '::\s*(\w+)\s*$', 1)), trim(regexp_extract(kind, '^(.*)::', 1, 's')), '', 'cast'
        ]
        ELSE [
            lower(regexp_extract(kind, '^\s*(\w+)\s*\(.*\)\s*$', 1, 's')),
            trim(regexp_extract(kind, '\((.*?)(,\s*[-+.0-9]+\s*)?\)\s*$', 1, 's')),
            trim(regexp_extract(kind, ',\s*([-+.0-9]+)\s*\)\s*$', 1)), 'call'
        ]
    END;

-- Whether text may be a function of a column, by its look; without that no function is looked for, and none planned.
CREATE OR REPLACE MACRO _store.is_call(kind) AS
    coalesce(regexp_matches(kind, '[(]|::'), false);

-- One row: what text such as century(date), age::INTEGER or age asks for: the function, as function_of calls it, NULL
-- where the text is the name of a column, or has none; its argument, a number or NULL, and whether it is a cast; the
-- column as it is written, and as it is spelt, capital letters making no difference, NULL where there is none; and all
-- columns that there are. All that is looked up is looked up once.
CREATE OR REPLACE MACRO _store.asked_grouping(kind) AS TABLE (
    WITH _there AS MATERIALIZED (
        SELECT list_concat(['corpus', 'document'], list_sort(coalesce(_store.kinds(), []))) AS columns,
            _store.call_parts(kind) AS parts
    ),
    _read AS MATERIALIZED (
        SELECT columns, list_transform(columns, lambda name: lower(name)) AS names, parts,
            parts[4] = 'cast' AS is_cast, CASE
                WHEN list_contains(list_transform(columns, lambda name: lower(name)), lower(kind)) THEN NULL
                WHEN parts[4] = 'call' THEN nullif(parts[1], '')
                WHEN parts[1] IN ('int', 'integer', 'bigint') THEN 'integer'
                WHEN parts[1] IN ('double', 'float', 'real') THEN 'double'
                ELSE '::' || parts[1]
            END AS function
        FROM _there
    ),
    _named AS MATERIALIZED (
        SELECT columns, names, function, is_cast, CASE WHEN function IS NULL THEN kind ELSE parts[2] END AS written,
            CASE WHEN function IS NOT NULL THEN parts[3] END AS given
        FROM _read
    )
    SELECT function, given, _store.number_of(given) AS argument, is_cast, written,
        columns[nullif(list_position(names, lower(written)), 0)] AS spelt, columns
    FROM _named
);

-- The column of a kind as it is spelt; an error where there is none.
CREATE OR REPLACE MACRO _store.spelt(kind) AS (
    SELECT CASE
        WHEN spelt IS NULL
        THEN error('no column ' || coalesce(written, 'NULL') || '; the columns are ' || array_to_string(columns, ', '))
        ELSE spelt
    END
    FROM _store.asked_grouping(kind)
);

-- True where a kind is of a column that there is, and its function one that there is, with the argument that it needs;
-- otherwise an error.
CREATE OR REPLACE MACRO _store.check_grouping(kind) AS (
    SELECT CASE
        WHEN spelt IS NULL
        THEN error('no column ' || coalesce(written, 'NULL') || '; the columns are ' || array_to_string(columns, ', '))
        WHEN function IS NULL THEN true
        WHEN function NOT IN ('year', 'month', 'decade', 'century', 'bin', 'round', 'integer', 'double')
            OR (NOT is_cast AND function IN ('integer', 'double'))
        THEN error(
            'a column has no ' || CASE WHEN is_cast THEN 'type ' ELSE 'function ' END || ltrim(function, ':')
            || '; it has year, month, decade, century, bin, round, ::INTEGER, ::DOUBLE'
        )
        WHEN function = 'bin' AND coalesce(argument, 0) <= 0
        THEN error(kind || ': a bin has a width above 0; write e.g. bin(' || written || ', 10)')
        WHEN function = 'round' AND coalesce(argument NOT BETWEEN -15 AND 15 OR argument <> trunc(argument), false)
        THEN error(kind || ': a number is rounded to a whole number of digits, -15 to 15')
        WHEN function NOT IN ('bin', 'round') AND given <> ''
        THEN error(kind || ': ' || function || ' takes a column alone')
        ELSE true
    END
    FROM _store.asked_grouping(kind)
);

-- True where the function in a kind, if it has one, has given a value of the relation named; otherwise an error. What
-- is no function gives no value either, and DuckDB checks in any order: so that is asked first, here as elsewhere.
CREATE OR REPLACE MACRO _store.check_values(values_of, kind) AS (
    WITH _as_they_are AS NOT MATERIALIZED (SELECT true AS is_right),
    _of_function AS NOT MATERIALIZED (
        SELECT CASE
            WHEN own.found > 0 OR (_store.check_grouping(kind) AND asked.function IS NULL) THEN true
            ELSE error(
                kind || ': no value of ' || asked.written || ' is ' || CASE
                    WHEN asked.function IN ('year', 'month') THEN 'a date'
                    WHEN asked.function IN ('decade', 'century') THEN 'a date or a year'
                    ELSE 'a number'
                END || '; counts_by without the function shows its values'
            )
        END AS is_right
        FROM (SELECT count(value) AS found FROM query_table(values_of)) AS own
        CROSS JOIN _store.asked_grouping(kind) AS asked
    )
    SELECT is_right FROM query_table(CASE WHEN _store.is_call(kind) THEN '_of_function' ELSE '_as_they_are' END)
);

-- A row: a sentence of a subcorpus, or of any, and what the column of a kind has for it, as text; NULL where it has
-- none.
CREATE OR REPLACE MACRO _store.sentence_given(kind, subcorpus) AS TABLE (
    WITH _in_any AS NOT MATERIALIZED (FROM _store.sentence),
    _in_subcorpus AS NOT MATERIALIZED (
        SELECT sentence.*
        FROM _store.sentence
        SEMI JOIN _store.subcorpus_sentence AS chosen
            ON chosen.sentence_id = sentence.id AND chosen.subcorpus_id = _store.subcorpus_id(subcorpus)
    ),
    _sentence AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN subcorpus IS NULL THEN '_in_any' ELSE '_in_subcorpus' END)
    ),
    _corpus AS NOT MATERIALIZED (
        SELECT _sentence.id AS sentence_id, corpus.name AS given
        FROM _sentence
        JOIN _store.corpus ON corpus.id = _sentence.corpus_id
    ),
    _document AS NOT MATERIALIZED (
        SELECT _sentence.id AS sentence_id, document.name AS given
        FROM _sentence
        LEFT JOIN _store.document ON document.id = _sentence.document_id
    ),
    _pointer AS MATERIALIZED (SELECT _store.pointer(_store.spelt(kind)) AS pointer),
    _of_document AS MATERIALIZED (
        SELECT document_id, json_extract_string(to_json(said), (SELECT pointer FROM _pointer)) AS given
        FROM _store.document_metadata AS said
    ),
    _of_sentence AS MATERIALIZED (
        SELECT sentence_id, json_extract_string(to_json(said), (SELECT pointer FROM _pointer)) AS given
        FROM _store.sentence_metadata AS said
    ),
    _said AS NOT MATERIALIZED (
        SELECT _sentence.id AS sentence_id, coalesce(_of_document.given, _of_sentence.given) AS given
        FROM _sentence
        LEFT JOIN _of_document ON _of_document.document_id = _sentence.document_id
        LEFT JOIN _of_sentence ON _of_sentence.sentence_id = _sentence.id
    )
    FROM query_table('_' || coalesce(nullif(lower(
        regexp_extract(kind, '(?i)^(?:\s*\w+\s*\(\s*)?(corpus|document)\s*(?:[,:)].*)?$', 1, 's')
    ), ''), 'said'))
);

-- A row: a sentence of a subcorpus, or of any, and its value, as text; NULL where it has none, or where a function has
-- none of it. given: the value before a function. (A function is applied to each different value once.)
CREATE OR REPLACE MACRO _store.sentence_value(kind, subcorpus) AS TABLE (
    WITH _given AS MATERIALIZED (FROM _store.sentence_given(kind, subcorpus)),
    _number AS MATERIALIZED (
        SELECT given, _store.number_of(given) AS number FROM (SELECT DISTINCT given FROM _given) AS different
    ),
    _result AS MATERIALIZED (
        SELECT _number.given, asked.function IS NOT NULL AS is_changed,
            _store.function_of(asked.function, _number.given, _number.number, asked.argument) AS result
        FROM _number
        CROSS JOIN _store.asked_grouping(kind) AS asked
    ),
    _text AS MATERIALIZED (
        SELECT given, CASE
                WHEN NOT is_changed THEN given
                WHEN result = trunc(result) AND abs(result) < 1e15 THEN result::BIGINT::VARCHAR
                ELSE result::VARCHAR
            END AS value
        FROM _result
    ),
    _as_they_are AS NOT MATERIALIZED (
        SELECT sentence_id, given, given AS value FROM _store.sentence_given(kind, subcorpus)
    ),
    _of_function AS NOT MATERIALIZED (
        SELECT _given.sentence_id, _given.given, _text.value
        FROM _given
        LEFT JOIN _text ON _text.given = _given.given
    )
    FROM query_table(CASE WHEN _store.is_call(kind) THEN '_of_function' ELSE '_as_they_are' END)
);
