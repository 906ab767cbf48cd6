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

-- A number as text: a whole one without a point.
CREATE OR REPLACE MACRO _store.number_text(number) AS
    CASE WHEN number = trunc(number) AND abs(number) < 1e15 THEN number::BIGINT::VARCHAR ELSE number::VARCHAR END;

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

-- What can tell sentences apart.
CREATE OR REPLACE MACRO _store.columns_to_tell() AS
    list_concat(['corpus', 'document'], list_sort(coalesce(_store.kinds(), [])));

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

-- The function in text such as century(date) or age::INTEGER, as function_of calls it; NULL where the text is the name
-- of a column, or has none.
CREATE OR REPLACE MACRO _store.function_in(kind) AS
    CASE
        WHEN NOT list_contains(list_transform(_store.columns_to_tell(), lambda name: lower(name)), lower(kind))
        THEN CASE
            WHEN _store.call_parts(kind)[4] = 'call' THEN nullif(_store.call_parts(kind)[1], '')
            WHEN _store.call_parts(kind)[1] IN ('int', 'integer', 'bigint') THEN 'integer'
            WHEN _store.call_parts(kind)[1] IN ('double', 'float', 'real') THEN 'double'
            ELSE '::' || _store.call_parts(kind)[1]
        END
    END;

-- The column in such text, or all of it.
CREATE OR REPLACE MACRO _store.column_in(kind) AS
    CASE WHEN _store.function_in(kind) IS NULL THEN kind ELSE _store.call_parts(kind)[2] END;

-- The number that a function in such text is given beside its column; NULL where there is none.
CREATE OR REPLACE MACRO _store.argument_in(kind) AS
    CASE WHEN _store.function_in(kind) IS NOT NULL THEN _store.number_of(_store.call_parts(kind)[3]) END;

-- The column of a kind as it is spelt, capital letters making no difference; an error where there is none.
CREATE OR REPLACE MACRO _store.spelt(kind) AS
    CASE
        WHEN list_contains(
            list_transform(_store.columns_to_tell(), lambda name: lower(name)), lower(_store.column_in(kind))
        )
        THEN _store.columns_to_tell()[list_position(
            list_transform(_store.columns_to_tell(), lambda name: lower(name)), lower(_store.column_in(kind))
        )]
        ELSE error(
            'no column ' || coalesce(_store.column_in(kind), 'NULL') || '; there is '
            || array_to_string(_store.columns_to_tell(), ', ')
        )
    END;

-- True where the function in a kind is one that there is, with the argument that it needs; otherwise an error.
CREATE OR REPLACE MACRO _store.check_function(kind) AS
    CASE
        WHEN _store.function_in(kind) IS NULL THEN true
        WHEN _store.function_in(kind) NOT IN (
            'year', 'month', 'decade', 'century', 'bin', 'round', 'integer', 'double'
        ) OR (_store.call_parts(kind)[4] = 'call' AND _store.function_in(kind) IN ('integer', 'double')) THEN error(
            CASE WHEN _store.call_parts(kind)[4] = 'cast' THEN 'no type ' ELSE 'no function ' END
            || ltrim(_store.function_in(kind), ':')
            || '; there is year, month, decade, century, bin, round, ::INTEGER, ::DOUBLE'
        )
        WHEN _store.function_in(kind) = 'bin' AND coalesce(_store.argument_in(kind), 0) <= 0 THEN error(
            kind || ': a bin has a width above 0; write e.g. bin(' || _store.column_in(kind) || ', 10)'
        )
        WHEN _store.function_in(kind) = 'round' AND coalesce(
            _store.argument_in(kind) NOT BETWEEN -15 AND 15
            OR _store.argument_in(kind) <> trunc(_store.argument_in(kind)), false
        ) THEN error(kind || ': a number is rounded to a whole number of digits, -15 to 15')
        WHEN _store.function_in(kind) NOT IN ('bin', 'round') AND _store.call_parts(kind)[3] <> '' THEN error(
            kind || ': ' || _store.function_in(kind) || ' takes a column alone'
        )
        ELSE true
    END;

-- True where the function in a kind, if it has one, has given a value of the relation named; otherwise an error.
CREATE OR REPLACE MACRO _store.check_values(values_of, kind) AS (
    SELECT CASE
        WHEN count(value) > 0 OR _store.function_in(any_value(kind)) IS NULL THEN true
        ELSE error(
            kind || ': no value of ' || _store.column_in(any_value(kind)) || ' is ' || CASE
                WHEN _store.function_in(any_value(kind)) IN ('year', 'month') THEN 'a date'
                WHEN _store.function_in(any_value(kind)) IN ('decade', 'century') THEN 'a date or a year'
                ELSE 'a number'
            END || '; counts_by without the function shows its values'
        )
    END
    FROM query_table(values_of)
);

-- A row: a sentence of a subcorpus, or of any, and its value, as text; NULL where it has none, or where a function has
-- none of it. given: the value before a function.
CREATE OR REPLACE MACRO _store.sentence_value(kind, subcorpus) AS TABLE (
    WITH _in_any AS NOT MATERIALIZED (
        FROM _store.sentence
    ),
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
        SELECT _sentence.id AS sentence_id, corpus.name AS value
        FROM _sentence
        JOIN _store.corpus ON corpus.id = _sentence.corpus_id
    ),
    _document AS NOT MATERIALIZED (
        SELECT _sentence.id AS sentence_id, document.name AS value
        FROM _sentence
        LEFT JOIN _store.document ON document.id = _sentence.document_id
    ),
    _of_document AS MATERIALIZED (
        SELECT document_id, json_extract_string(to_json(said), _store.pointer(_store.spelt(kind))) AS value
        FROM _store.document_metadata AS said
    ),
    _of_sentence AS MATERIALIZED (
        SELECT sentence_id, json_extract_string(to_json(said), _store.pointer(_store.spelt(kind))) AS value
        FROM _store.sentence_metadata AS said
    ),
    _said AS NOT MATERIALIZED (
        SELECT _sentence.id AS sentence_id, coalesce(_of_document.value, _of_sentence.value) AS value
        FROM _sentence
        LEFT JOIN _of_document ON _of_document.document_id = _sentence.document_id
        LEFT JOIN _of_sentence ON _of_sentence.sentence_id = _sentence.id
    ),
    _how AS MATERIALIZED (
        SELECT _store.function_in(kind) AS function, _store.argument_in(kind) AS argument
    )
    SELECT own.sentence_id, own.value AS given, CASE
        WHEN _how.function IS NULL THEN own.value
        ELSE _store.number_text(
            _store.function_of(_how.function, own.value, _store.number_of(own.value), _how.argument)
        )
    END AS value
    FROM query_table('_' || coalesce(nullif(lower(
        regexp_extract(kind, '(?i)^(?:\s*\w+\s*\(\s*)?(corpus|document)\s*(?:[,:)].*)?$', 1, 's')
    ), ''), 'said')) AS own
    CROSS JOIN _how
);
