-- How often something occurs in each corpus, document, or whatever else is said of documents and sentences.

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

-- The function in text such as century(date), in lower case; NULL where the text is a column's name, or has none.
CREATE OR REPLACE MACRO _store.function_in(kind) AS
    CASE
        WHEN NOT list_contains(list_transform(_store.columns_to_tell(), lambda name: lower(name)), lower(kind))
        THEN nullif(lower(regexp_extract(kind, '^\s*(\w+)\s*\(.*\)\s*$', 1, 's')), '')
    END;

-- The column in such text: what its brackets have in them, or all of it.
CREATE OR REPLACE MACRO _store.column_in(kind) AS
    CASE
        WHEN _store.function_in(kind) IS NULL THEN kind
        ELSE trim(regexp_extract(kind, '\((.*)\)\s*$', 1, 's'))
    END;

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

-- True where the function in a kind is one of times, of a column that may have them; otherwise an error.
CREATE OR REPLACE MACRO _store.check_function(kind) AS
    CASE
        WHEN _store.function_in(kind) IS NULL THEN true
        WHEN _store.function_in(kind) NOT IN ('year', 'month', 'decade', 'century') THEN error(
            'no function ' || _store.function_in(kind) || ' of times; there is year, month, decade, century'
        )
        WHEN lower(_store.column_in(kind)) IN ('corpus', 'document') THEN error(
            kind || ': ' || _store.column_in(kind) || ' is text; ' || _store.function_in(kind) || ' takes a date'
        )
        ELSE true
    END;

-- A function of a date as text, or the decade or century of a year, which are the same as of its dates: 189 and 19 of
-- 1890. The value itself where there is no function; an error where it is not a time.
CREATE OR REPLACE MACRO _store.of_time(function, value) AS
    CASE
        WHEN function IS NULL OR value IS NULL THEN value
        WHEN regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN CASE function
            WHEN 'year' THEN year(value::DATE)
            WHEN 'month' THEN month(value::DATE)
            WHEN 'decade' THEN decade(value::DATE)
            WHEN 'century' THEN century(value::DATE)
        END::VARCHAR
        WHEN function = 'decade' AND regexp_full_match(value, '-?[0-9]{1,18}') THEN (value::BIGINT // 10)::VARCHAR
        WHEN function = 'century' AND regexp_full_match(value, '-?[0-9]{1,18}') THEN CASE
            WHEN value::BIGINT > 0 THEN (value::BIGINT - 1) // 100 + 1
            ELSE value::BIGINT // 100 - 1
        END::VARCHAR
        ELSE error(
            function || ' takes a date' || CASE WHEN function IN ('decade', 'century') THEN ' or a year' ELSE '' END
            || ', and a value is ' || value
        )
    END;

-- A row: a sentence of a subcorpus, or of any, and its value, as text; NULL where it has none.
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
        SELECT _sentence.id AS sentence_id,
            _store.of_time(_store.function_in(kind), coalesce(_of_document.value, _of_sentence.value)) AS value
        FROM _sentence
        LEFT JOIN _of_document ON _of_document.document_id = _sentence.document_id
        LEFT JOIN _of_sentence ON _of_sentence.sentence_id = _sentence.id
    )
    FROM query_table(CASE WHEN lower(kind) IN ('corpus', 'document') THEN '_' || lower(kind) ELSE '_said' END)
);

-- True where counts of what is asked can be told; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_counts_by(lexeme, way, context, kind, subcorpus, counts) AS
    CASE
        @counts_by_checks@
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN _store.spelt(kind) IS NULL THEN false
        WHEN NOT _store.check_function(kind) THEN false
        WHEN _store.sort_asked(lexeme) <> 'words' AND (way IS NOT NULL OR context IS NOT NULL) THEN error(
            'a ' || _store.sort_asked(lexeme) || ' has no path and no context; leave them NULL'
        )
        WHEN lexeme IS NULL AND (way IS NULL) <> (context IS NULL) THEN error(
            'counts are asked of a lexeme, of a path and a context, or of nothing (all words); here only '
            || CASE WHEN way IS NULL THEN 'the context' ELSE 'the path' END || ' is given'
        )
        ELSE true
    END;

-- A row: a value and how many of its tokens are what one side of a question, the lexeme or the context, asks for, NULL
-- for any lexeme; asked names what both ask for.
CREATE OR REPLACE MACRO _store.tokens_by(asked, side, values_of) AS TABLE (
    WITH _wanted AS MATERIALIZED (
        SELECT DISTINCT word.id
        FROM _store.word
        JOIN query_table(asked) AS own ON own.of_context = side AND coalesce(own.lexeme_id = word.lexeme_id, true)
        WHERE word.lexeme_id IS NOT NULL AND coalesce(own.word_id = word.id, true)
    ),
    _node AS NOT MATERIALIZED (
        SELECT node.sentence_id, node.position FROM _store.stored_node AS node JOIN _wanted ON _wanted.id = node.word_id
    )
    SELECT own.value, count(*) AS count
    FROM _store.node_of_side('_node', asked, side) AS node
    JOIN query_table(values_of) AS own ON own.sentence_id = node.sentence_id
    GROUP BY own.value
);

-- A row: a value of metadata (NULL: none), the number of times that a lexeme meets a context along a path in its
-- sentences, as evidence would show them, and the same per million of its tokens. lexeme_count and context_count: the
-- frequencies of the two there. path and context may be NULL, for any; a lexeme alone is counted by its tokens; with
-- three NULLs all lexemes are counted. lexeme and context may be patterns, or the lexeme cql(…), as in evidence. by:
-- corpus, document, or a column of metadata, also a function of one: year, month, decade or century of a date, decade
-- or century of a year, e.g. century(date).
-- Columns: value VARCHAR, count BIGINT, tokens BIGINT, per_million DOUBLE, lexeme_count BIGINT, context_count BIGINT
-- Example: FROM counts_by('shoot/NOUN', by := 'corpus')
CREATE OR REPLACE MACRO counts_by(lexeme, path := NULL, context := NULL, @parameters_of_counts_by@) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.asked(_store.text_asked(lexeme), context, subcorpus)
        WHERE (SELECT _store.guard('@stamp@'))
            AND (SELECT _store.check_counts_by(lexeme, path, context, "by", subcorpus, counts))
            AND (SELECT coalesce(_store.counted_path(path, subcorpus), '') IS NOT NULL)
    ),
    _value AS MATERIALIZED (
        FROM _store.sentence_value("by", subcorpus)
    ),
    _size AS MATERIALIZED (
        SELECT _value.value, count(*) AS tokens
        FROM _store.token
        JOIN _value ON _value.sentence_id = token.sentence_id
        GROUP BY _value.value
    ),
    _hit AS NOT MATERIALIZED (
        FROM _store.hit_asked(
            '_asked', lexeme, path, context, subcorpus, _store.shown_counts(counts, subcorpus)
        )
    ),
    _met AS NOT MATERIALIZED (
        SELECT _value.value, count(*) AS count
        FROM _hit
        JOIN _value ON _value.sentence_id = _hit.sentence_id
        GROUP BY _value.value
    ),
    _occurred AS NOT MATERIALIZED (
        FROM _store.tokens_by('_asked', false, '_value')
    ),
    _counted AS MATERIALIZED (
        FROM query_table(CASE
            WHEN path IS NULL AND context IS NULL AND _store.sort_asked(lexeme) = 'words' THEN '_occurred'
            ELSE '_met'
        END)
    ),
    _lexeme AS MATERIALIZED (
        FROM _store.tokens_by('_asked', false, '_value')
    ),
    _context AS MATERIALIZED (
        FROM _store.tokens_by('_asked', true, '_value')
    )
    SELECT _size.value, coalesce(_counted.count, 0) AS count, _size.tokens,
        1e6 * coalesce(_counted.count, 0) / _size.tokens AS per_million,
        CASE WHEN _store.text_asked(lexeme) IS NOT NULL THEN coalesce(_lexeme.count, 0) END AS lexeme_count,
        CASE WHEN context IS NOT NULL THEN coalesce(_context.count, 0) END AS context_count
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('counts_by', row(@given_to_counts_by@)) AS _constants
    CROSS JOIN _size
    LEFT JOIN _counted ON _counted.value IS NOT DISTINCT FROM _size.value
    LEFT JOIN _lexeme ON _lexeme.value IS NOT DISTINCT FROM _size.value
    LEFT JOIN _context ON _context.value IS NOT DISTINCT FROM _size.value
    WHERE (SELECT count(*) FROM _asked) > 0
    ORDER BY _size.value ASC NULLS LAST
);

-- True where a value of the relation named is a time; otherwise an error that says what values are.
CREATE OR REPLACE MACRO _store.check_periods(counted, kind) AS (
    SELECT CASE
        WHEN count(_store.period_number(value)) > 0 THEN true
        ELSE error(
            'no value of ' || kind || ' is a time; a time is a number, a year, a decade as 1890s, or a date as '
            || '1999-01-31'
        )
    END
    FROM query_table(counted)
);

-- A row: a period, the number that it stands for, the frequency of a lexeme there, and the same per million tokens.
-- Each row repeats three statistics of all periods: slope, the rise of the frequency per million in a unit of time, as
-- the median over pairs of periods (Theil and Sen); tau, Kendall's τ-b; p_value, of the test of Mann and Kendall.
-- Values that are not times are left out.
-- Columns: value VARCHAR, period DOUBLE, count BIGINT, tokens BIGINT, per_million DOUBLE, slope DOUBLE, tau DOUBLE,
-- p_value DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'trend'
CREATE OR REPLACE MACRO trend(lexeme, @parameters_of_trend@) AS TABLE (
    WITH _counted AS MATERIALIZED (
        FROM counts_by(lexeme, "by" := "by", subcorpus := subcorpus)
    ),
    _point AS MATERIALIZED (
        SELECT 1 AS series, _store.period_number(_counted.value) AS period, _counted.per_million AS value
        FROM _counted
    ),
    _trend AS MATERIALIZED (
        FROM _store.trend_of('_point')
    )
    SELECT _counted.value, _store.period_number(_counted.value) AS period, _counted.count, _counted.tokens,
        _counted.per_million, _trend.slope, _trend.tau, _trend.p_value
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('trend', row(lexeme, @given_to_trend@)) AS _constants
    CROSS JOIN _counted
    LEFT JOIN _trend ON true
    WHERE _store.period_number(_counted.value) IS NOT NULL
        AND (SELECT _store.guard('@stamp@'))
        AND (SELECT _store.check_periods('_counted', "by"))
    ORDER BY period ASC, _counted.value ASC
);
