-- Named weightings: recorded and kept.

-- name: clash
-- A row: what has the name already among what users see in this lexicon, or in SQL, so that a weighting cannot. What
-- the lexicon keeps to itself, in _store, and DuckDB's own functions take no names away.
SELECT 'the name of a table or view of this lexicon' AS holder
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(view_name) = $name
UNION ALL
SELECT 'the name of a table or view of this lexicon'
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(table_name) = $name
UNION ALL
SELECT 'the name of a function'
FROM duckdb_functions()
WHERE database_name = current_database() AND schema_name = 'main' AND lower(function_name) = $name
UNION ALL
SELECT 'a word of SQL'
FROM duckdb_keywords()
WHERE keyword_category <> 'unreserved' AND keyword_name = $name
LIMIT 1;

-- name: keep_weights
-- Keeps those weights of a weighting whose contexts are of a range, in the order that serves ranking.
-- @id@: the weighting's id.
-- @name@: its name.
-- @scheme@: its scheme.
-- @first@: the first of the contexts, by id.
-- @last@: the last of them.
INSERT INTO _store.kept_weight (weighting_id, feature_id, lexeme_id, weight)
WITH met AS NOT MATERIALIZED (
    FROM _store.met_by_context(
        _store.subcorpus(@name@, NULL), _store.counts(@name@, NULL)
    )
),
own_node AS NOT MATERIALIZED (
    FROM _store.node_in(_store.subcorpus(@name@, NULL), _store.counts(@name@, NULL))
)
SELECT @id@, feature_id, lexeme_id, weight
FROM _store.plain_weighed_of('met', 'own_node', @name@, @scheme@)
WHERE context_id BETWEEN @first@ AND @last@
ORDER BY feature_id, lexeme_id;

-- name: keep_sizes
-- Keeps, of the vector of each lexeme that has one under the weighting's phi, the sums of its values and of their
-- squares, by which measures divide, and its least value, which some measures must not have below 0.
-- @id@: the weighting's id.
-- @phi@: its phi.
-- @subcorpus@: the subcorpus that it is of, or NULL.
-- @counts@: direct, or NULL for packed.
INSERT INTO _store.kept_size (weighting_id, lexeme_id, total, square, least)
WITH of_weighting AS (
    SELECT *, NULL::VARCHAR AS path_text FROM _store.kept_weights(@id@, _store.needs_no_paths(@phi@, 'all'))
)
SELECT @id@, lexeme_id, fsum(value), fsum(value * value), min(value)
FROM _store.dimensions('of_weighting', @phi@, @subcorpus@, @counts@)
WHERE value <> 0
GROUP BY lexeme_id
ORDER BY lexeme_id;

-- name: recorded
-- A row: a property of weightings and the value that each weighting records of it, as SQL: NULL, or a CASE over the
-- names. What a file records is text, whatever stands in it.
WITH recorded AS (
    SELECT name, unnest(map_entries(asked)) AS given FROM _store.derived WHERE kind = 'weighting'
),
value AS (
    SELECT name, given.key AS property, given.value FROM recorded
    UNION ALL
    SELECT name, 'kept', id::VARCHAR FROM _store.derived WHERE kind = 'weighting' AND state = 'kept'
),
quoted AS (
    SELECT property, name, '''' || replace(name, '''', '''''') || '''' AS name_text,
        '''' || replace(value, '''', '''''') || '''' AS value_text
    FROM value
)
SELECT property,
    'CASE lower(weights) ' || string_agg('WHEN ' || name_text || ' THEN ' || value_text, ' ' ORDER BY name) || ' END'
FROM quoted
GROUP BY property;
