-- How often something occurs in each corpus, document, or whatever else is said of documents and sentences.

-- True where so much can be shown; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_counting(min_count, top, counts) AS
    CASE
        @counting_checks@
        ELSE true
    END;

-- True where counts of what is asked can be told; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_counts_by(lexeme, way, context, kind, subcorpus, counts) AS
    CASE
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN NOT _store.check_grouping(kind) THEN false
        WHEN NOT _store.check_alone(lexeme, way, context, counts) THEN false
        WHEN lexeme IS NULL AND (way IS NULL) <> (context IS NULL) THEN error(
            CASE WHEN way IS NULL THEN 'a context' ELSE 'a path' END
            || ' alone cannot be counted; give a lexeme, too, as ''dog/NOUN'' (''*'' for any), or a '
            || CASE WHEN way IS NULL THEN 'path' ELSE 'context' END
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

-- A row: a value of metadata (NULL: none), the number of times that a lexeme and a context occur along a path in its
-- sentences, as evidence shows them, and the same per million of its tokens. lexeme_count and context_count: the
-- frequencies of the two there. path and context may be NULL, for any; a lexeme alone is counted by its tokens; with
-- three NULLs all lexemes are counted. lexeme and context may be patterns, or the lexeme cql(…), as in evidence. by:
-- corpus, document, a column of metadata, or a function of one: year, month, decade or century of a date; decade (1890
-- for 1893) or century (19 for 1801 to 1900) of a year; bin(age, 12), round(age, 1), age::INTEGER or age::DOUBLE of
-- numbers. Values that are not dates or numbers are then counted as NULL.
-- Columns: value VARCHAR, count BIGINT, tokens BIGINT, per_million DOUBLE, lexeme_count BIGINT, context_count BIGINT
-- Example: FROM counts_by('shoot/NOUN', by := 'corpus')
CREATE OR REPLACE MACRO counts_by(
    lexeme, path VARCHAR := NULL, context VARCHAR := NULL, @parameters_of_counts_by@
) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.asked(_store.text_asked(lexeme), context, subcorpus)
        WHERE _store.admitted('@stamp@', _store.check_counts_by(lexeme, path, context, "by", subcorpus, counts)
            AND _store.check_counting(min_count, top, counts)
            AND coalesce(_store.counted_path(path, subcorpus), '') IS NOT NULL)
    ),
    _value AS MATERIALIZED (FROM _store.sentence_value("by", subcorpus)),
    _size AS MATERIALIZED (
        SELECT _value.value, count(*) AS tokens
        FROM _store.token
        JOIN _value ON _value.sentence_id = token.sentence_id
        GROUP BY _value.value
    ),
    _hit AS NOT MATERIALIZED (
        FROM _store.hit_asked('_asked', lexeme, path, context, subcorpus, _store.shown_counts(counts, subcorpus))
    ),
    _met AS NOT MATERIALIZED (
        SELECT _value.value, count(*) AS count
        FROM _hit
        JOIN _value ON _value.sentence_id = _hit.sentence_id
        GROUP BY _value.value
    ),
    _no_token AS NOT MATERIALIZED (SELECT NULL::VARCHAR AS value, NULL::BIGINT AS count LIMIT 0),
    _each_token AS NOT MATERIALIZED (FROM _store.tokens_by('_asked', false, '_value')),
    _lexeme AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.sort_asked(lexeme) = 'words' THEN '_each_token' ELSE '_no_token' END)
    ),
    _counted AS MATERIALIZED (
        FROM query_table(CASE
            WHEN path IS NULL AND context IS NULL AND _store.sort_asked(lexeme) = 'words' THEN '_lexeme'
            ELSE '_met'
        END)
    ),
    _met_context AS NOT MATERIALIZED (FROM _store.tokens_by('_asked', true, '_value')),
    _context AS MATERIALIZED (
        FROM query_table(CASE WHEN context IS NULL THEN '_no_token' ELSE '_met_context' END)
    )
    SELECT _size.value, coalesce(_counted.count, 0) AS count, _size.tokens,
        1e6 * coalesce(_counted.count, 0) / _size.tokens AS per_million,
        CASE WHEN _store.text_asked(lexeme) IS NOT NULL THEN coalesce(_lexeme.count, 0) END AS lexeme_count,
        CASE WHEN context IS NOT NULL THEN coalesce(_context.count, 0) END AS context_count
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('counts_by', row(path, context, @given_to_counts_by@)) AS _constants
    CROSS JOIN _size
    LEFT JOIN _counted ON _counted.value IS NOT DISTINCT FROM _size.value
    LEFT JOIN _lexeme ON _lexeme.value IS NOT DISTINCT FROM _size.value
    LEFT JOIN _context ON _context.value IS NOT DISTINCT FROM _size.value
    WHERE (SELECT count(*) FROM _asked) > 0 AND (SELECT _store.check_values('_value', "by"))
        AND coalesce(_counted.count, 0) >= coalesce(min_count, 0)
    QUALIFY top IS NULL OR row_number() OVER (
        ORDER BY _store.number_of(_size.value) ASC NULLS LAST, _size.value ASC NULLS LAST
    ) <= top
    ORDER BY _store.number_of(_size.value) ASC NULLS LAST, _size.value ASC NULLS LAST
);

-- True where the values of the relation named are times or numbers; otherwise an error that says what values are. A
-- number in the name of a corpus or document, or among text, is a time only if a function says so.
CREATE OR REPLACE MACRO _store.check_periods(timed, kind) AS (
    SELECT CASE
        WHEN times = 0 THEN error(
            'no value of ' || kind || ' is a time; a time is a number, a year, a decade as 1890s, or a date as '
            || '1999-01-31; counts_by takes any values'
        )
        WHEN function IS NULL AND (lower(kind) IN ('corpus', 'document') OR 2 * times < all_values) THEN error(
            CASE
                WHEN lower(kind) IN ('corpus', 'document') THEN kind || ' is a name, not a time'
                ELSE 'only ' || times || ' of ' || all_values || ' values of ' || kind || ' are times'
            END || '; to take the numbers among them, write ' || kind || '::DOUBLE; counts_by takes any values'
        )
        ELSE true
    END
    FROM (SELECT count(period) AS times, count(value) AS all_values FROM query_table(timed)) AS own
    CROSS JOIN _store.asked_grouping(kind)
);

-- A row: a period, its number, the frequency of what is asked for as in counts_by, and the same per million tokens.
-- against: an alternative lexeme, pattern or sequence, with the same path and context: other_count is its frequency,
-- and share that of the first in both together, with Wilson's 95 % interval (NULL without against). Each row repeats
-- statistics of all periods, of the share if there is one, else of the frequency per million: slope, the rise per unit
-- of time, as the median over pairs of periods (Theil-Sen); tau, Kendall's τ-b; p_value, of the Mann-Kendall test;
-- growth, the relative growth per unit of time; growth_p, of the quasi-Poisson regression of counts, which weights
-- periods by their tokens (or by both alternatives). Values that are not times are left out.
-- Columns: value VARCHAR, period DOUBLE, count BIGINT, tokens BIGINT, per_million DOUBLE, slope DOUBLE, tau DOUBLE,
-- p_value DOUBLE, growth DOUBLE, growth_p DOUBLE, other_count BIGINT, share DOUBLE, share_low DOUBLE, share_high DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'trend'
CREATE OR REPLACE MACRO trend(
    lexeme, path VARCHAR := NULL, context VARCHAR := NULL, against := NULL, @parameters_of_trend@
) AS TABLE (
    WITH _counted AS MATERIALIZED (
        FROM counts_by(lexeme, path, context, "by" := "by", subcorpus := subcorpus, counts := counts)
    ),
    _no_other AS NOT MATERIALIZED (SELECT NULL::VARCHAR AS value, NULL::BIGINT AS count LIMIT 0),
    _counted_against AS NOT MATERIALIZED (
        SELECT value, count
        FROM counts_by(against, path, context, "by" := "by", subcorpus := subcorpus, counts := counts)
    ),
    _other AS MATERIALIZED (
        FROM query_table(CASE WHEN against IS NULL THEN '_no_other' ELSE '_counted_against' END)
    ),
    _shared AS MATERIALIZED (
        SELECT _counted.*, _other.count AS other_count, _store.period_number(_counted.value) AS period,
            CASE WHEN against IS NULL THEN _counted.tokens ELSE _counted.count + _other.count END AS size
        FROM _counted
        LEFT JOIN _other ON _other.value IS NOT DISTINCT FROM _counted.value
    ),
    _point AS MATERIALIZED (
        SELECT 1 AS series, period, count, size,
            CASE WHEN against IS NULL THEN per_million ELSE count / nullif(size, 0) END AS value
        FROM _shared
    ),
    _trend AS MATERIALIZED (
        SELECT trend.slope, trend.tau, trend.p_value, growth.growth, growth.growth_p
        FROM _store.trend_of('_point') AS trend
        CROSS JOIN _store.growth_of('_point') AS growth
    )
    SELECT _shared.value, _shared.period, _shared.count, _shared.tokens, _shared.per_million, _trend.slope, _trend.tau,
        _trend.p_value, _trend.growth, _trend.growth_p, _shared.other_count,
        CASE WHEN against IS NOT NULL THEN _shared.count / nullif(_shared.size, 0) END AS share,
        CASE WHEN against IS NOT NULL THEN _store.wilson(_shared.count, _shared.size, -1) END AS share_low,
        CASE WHEN against IS NOT NULL THEN _store.wilson(_shared.count, _shared.size, 1) END AS share_high
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('trend', row(lexeme, path, context, against, @given_to_trend@)) AS _constants
    CROSS JOIN _shared
    LEFT JOIN _trend ON true
    WHERE _shared.period IS NOT NULL
        AND _store.admitted('@stamp@', _store.check_periods('_shared', "by"))
    ORDER BY _shared.period ASC, _shared.value ASC
);
