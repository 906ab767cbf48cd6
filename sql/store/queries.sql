-- The catalog of a lexicon's file: tables, columns, views, sizes, space.

-- name: sizes
-- A row: a size of the lexicon by its name.
SELECT 'sentences' AS property, coalesce(sum(sentences), 0)::VARCHAR AS value FROM _store.corpus
UNION ALL
SELECT 'tokens', coalesce(sum(tokens), 0)::VARCHAR FROM _store.corpus
UNION ALL
SELECT 'lexemes', count(*)::VARCHAR FROM _store.lexeme
UNION ALL
SELECT 'paths', count(*)::VARCHAR FROM _store.path
UNION ALL
SELECT 'co-occurrences', count(*)::VARCHAR FROM _store.cooccurrence
UNION ALL
SELECT 'sum of counts', coalesce(sum(count), 0)::VARCHAR FROM _store.path;

-- name: corpora
-- A row: a corpus that went in, in the order of the additions; kind: trees, or counts that came without any; skipped:
-- its sentences that were at fault and left out.
SELECT name, kind, source, sentences, tokens, skipped, added_at, version, sha256
FROM _store.corpus
ORDER BY id;

-- name: number_of_tokens
-- One row: how many tokens the lexicon has.
SELECT coalesce(sum(tokens), 0)::BIGINT AS tokens FROM _store.corpus;

-- name: slices
-- A row: lexemes, from the first to the last, that have so many rows together.
-- @table@: the table of the rows.
-- @slice_rows@: how many, or so.
WITH met AS (SELECT lexeme_id, count(*) AS rows_met FROM @table@ GROUP BY lexeme_id),
met_so_far AS (
    SELECT lexeme_id, sum(rows_met) OVER (ORDER BY lexeme_id) AS rows_so_far
    FROM met
)
SELECT min(lexeme_id), max(lexeme_id)
FROM met_so_far
GROUP BY rows_so_far // @slice_rows@
ORDER BY 1;

-- name: space
-- One row: the bytes of the file that hold something, and those that nothing uses.
SELECT used_blocks * block_size AS used, free_blocks * block_size AS free
FROM pragma_database_size()
WHERE database_name = current_database();

-- name: objects
-- A row: something that a database holds, the user's own included, as text by which two databases are compared.
-- @database@: the database by name.
SELECT concat_ws(' ', 'table', schema_name, table_name, sql) AS object
FROM duckdb_tables() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(' ', 'view', schema_name, view_name, sql)
FROM duckdb_views() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(
    ' ', function_type, schema_name, function_name, parameters::VARCHAR, parameter_types::VARCHAR, macro_definition
)
FROM duckdb_functions() WHERE database_name = @database@ AND NOT internal
UNION ALL
SELECT concat_ws(' ', 'index', schema_name, index_name, sql)
FROM duckdb_indexes() WHERE database_name = @database@
UNION ALL
SELECT concat_ws(' ', 'sequence', schema_name, sequence_name, last_value)
FROM duckdb_sequences() WHERE database_name = @database@
UNION ALL
SELECT concat_ws(' ', 'type', schema_name, type_name)
FROM duckdb_types() WHERE database_name = @database@ AND NOT internal
ORDER BY object;

-- name: tables
-- A row: a table of a database, the user's own included.
-- @database@: the database by name.
SELECT schema_name, table_name
FROM duckdb_tables()
WHERE database_name = @database@ AND NOT internal
ORDER BY ALL;

-- name: put
-- Adds a row to a table.
-- @table@: the table.
-- @columns@: the columns that have a value.
-- @values@: the values, in the same order.
INSERT INTO _store.@table@ (@columns@) VALUES (@values@);

-- name: size
-- One row: how many rows a table has; those that were deleted are none.
-- @table@: a table by its whole name.
SELECT count(*)
FROM @table@;

-- name: attachments
-- A row: what hangs on a table of the private schema and is not aptdb's, which has neither: a trigger or an index. With
-- what it is called, and how it is dropped.
SELECT 'trigger ' || trigger_name || ' on ' || schema_name || '.' || table_name AS called,
    format('TRIGGER "{}" ON _store."{}"', replace(trigger_name, '"', '""'), replace(table_name, '"', '""')) AS dropped
FROM system.main.duckdb_triggers()
WHERE database_name = system.main.current_database() AND schema_name = '_store'
UNION ALL
SELECT 'index ' || index_name || ' on ' || schema_name || '.' || table_name,
    format('INDEX _store."{}"', replace(index_name, '"', '""'))
FROM system.main.duckdb_indexes()
WHERE database_name = system.main.current_database() AND schema_name = '_store';

-- name: view_of_counts
-- A row: how often a lexeme occurs with a context along a path, sorted by the three ids, from the files of a folder of
-- counts.
-- @files@: the files, in the order of their lexemes.
-- @merged@: how much of a count is merged; 0, where the files have no direct counts.
CREATE OR REPLACE VIEW _store.cooccurrence AS
SELECT lexeme_id, path_id, context_id, count, @merged@ AS merged
FROM read_parquet(@files@, hive_partitioning = false);

-- name: exported_revision
-- One row: the schema of the tables that were exported.
-- @file@: the file of the table alembic_version.
SELECT version_num
FROM read_parquet(@file@, hive_partitioning = false);

-- name: exported_columns
-- A row: a column of an exported table, and its type.
-- @file@: its file.
DESCRIBE SELECT * FROM read_parquet(@file@, hive_partitioning = false);

-- name: from_exported
-- A row of a table, as it was exported.
-- @table@: the table.
-- @file@: its file.
INSERT INTO _store.@table@ BY NAME
FROM read_parquet(@file@, hive_partitioning = false);

-- name: taken_names
-- A row: a name that no attached database can have: that of a database, with its file if it has one, or of a schema of
-- the database in use or of DuckDB.
SELECT database_name AS name, path
FROM system.main.duckdb_databases()
UNION ALL
SELECT schema_name, NULL
FROM system.main.duckdb_schemas()
WHERE database_name IN (system.main.current_database(), 'system');

-- name: hiding
-- A row: a macro or type of the user's own that hides a function or type of DuckDB by its name, in any case of letters;
-- with what it is, and how it is dropped. No function is called but DuckDB's own, by its whole name.
WITH own (called, name, dropped) AS (
    SELECT 'macro', function_name, CASE function_type WHEN 'macro' THEN 'MACRO' ELSE 'MACRO TABLE' END
    FROM system.main.duckdb_functions()
    WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = 'main'
    UNION
    SELECT 'type', type_name, 'TYPE'
    FROM system.main.duckdb_types()
    WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = 'main'
),
of_duckdb (called, name) AS (
    SELECT 'macro', system.main.lower(function_name) FROM system.main.duckdb_functions() WHERE internal
    UNION
    SELECT 'type', system.main.lower(type_name) FROM system.main.duckdb_types() WHERE internal
)
SELECT own.called, own.name, own.dropped
FROM own
SEMI JOIN of_duckdb ON of_duckdb.called = own.called AND of_duckdb.name = system.main.lower(own.name)
ORDER BY own.called, own.name;

-- name: clauses
-- A row: a default or a generated column, a check or another constraint of a table in the private schema. No version of
-- aptdb makes any, but for the key of alembic_version, which is Alembic's.
SELECT table_name, 'the default or generated value ' || column_default || ' in ' || column_name AS clause
FROM system.main.duckdb_columns()
WHERE database_name = system.main.current_database() AND schema_name = '_store' AND column_default IS NOT NULL
UNION ALL
SELECT table_name, constraint_text
FROM system.main.duckdb_constraints()
WHERE database_name = system.main.current_database() AND schema_name = '_store' AND constraint_type <> 'NOT NULL'
    AND constraint_text <> 'PRIMARY KEY(version_num)'
ORDER BY ALL;

-- name: table_texts
-- A row: a table of the private schema, and the statement that makes it, as DuckDB writes it.
SELECT table_name, sql
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database() AND schema_name = '_store';

-- name: metadata_columns
-- A row: a table of metadata, a kind of metadata that has a column there, and the column's type, in their order.
SELECT table_name, column_name, data_type
FROM system.main.duckdb_columns()
WHERE database_name = system.main.current_database() AND schema_name = '_store'
    AND table_name IN ('document_metadata', 'sentence_metadata')
    AND column_name NOT IN ('document_id', 'sentence_id')
ORDER BY table_name, column_index;

-- name: has_lexicon
-- A row if the database in use has the tables of a lexicon.
SELECT 1
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database() AND schema_name = '_store' AND table_name = 'alembic_version';

-- name: views
-- A row: a view that the database in use holds, and its text.
SELECT schema_name, view_name, sql
FROM system.main.duckdb_views()
WHERE NOT internal AND database_name = system.main.current_database();

-- name: copied_tables
-- A row: a table of the database in use.
SELECT schema_name, table_name
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database();

-- name: private_objects
-- A row: a macro or view in the private schema, by what it is dropped as.
SELECT DISTINCT CASE function_type WHEN 'macro' THEN 'MACRO' ELSE 'MACRO TABLE' END AS kind, function_name AS name
FROM system.main.duckdb_functions()
WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = '_store'
UNION ALL
SELECT 'VIEW', view_name
FROM system.main.duckdb_views()
WHERE NOT internal AND database_name = system.main.current_database() AND schema_name = '_store';

-- name: weighting_view
-- A row: the weight of one co-occurrence under a weighting that has a name, as text.
-- @view@: the weighting's view.
-- @name@: its name as text.
CREATE OR REPLACE VIEW @view@ AS FROM _store.weighting_as_text(@name@);

COMMENT ON VIEW @view@ IS 'A row: the weight of one co-occurrence under the weighting of this name (see weightings).';

-- name: columns
-- A row: a column of a public view.
SELECT table_name, column_name
FROM system.main.duckdb_columns()
WHERE database_name = system.main.current_database() AND schema_name = 'main'
ORDER BY table_name, column_index;

-- name: storage
-- One row: the storage version of the database in use, as v1.5.0+, by the version of DuckDB that brought it.
SELECT tags['storage_version'] AS storage
FROM system.main.duckdb_databases()
WHERE database_name = system.main.current_database();

-- name: own_tables
-- A row: a table in the private schema.
SELECT table_name
FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database() AND schema_name = '_store';

-- name: relations
-- A row: the name of a view or table of the user's own. Ours stand on the store, or are the function of their name; a
-- lexicon that was brought down to an older version still has them.
SELECT lower(view_name)
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main'
    AND NOT contains(sql, '_store.') AND NOT contains(lower(sql), ' from ' || lower(view_name) || '(')
UNION ALL
SELECT lower(table_name)
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main';

-- name: merged_relations
-- A row: one of the most frequent relations, its arcs, and how much higher its packed count is; none where direct
-- counts are not known.
SELECT text[2:] AS relation, count - merged AS direct, count
FROM _store.path
WHERE path_order = 1 AND starts_with(text, '>') AND _store.without_direct(NULL) IS NULL
ORDER BY direct DESC, relation
LIMIT 10;

-- name: without_direct
-- One row: the corpora whose direct counts are not known; NULL if they are known of all.
SELECT _store.without_direct(NULL) AS corpora;

-- name: public_views
-- A row: the name of a view of the lexicon outside of its private schema, those of weightings included.
SELECT view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal;

-- name: macro_bodies
-- A row: a macro of the lexicon: whether it is private, its name, whether it is of tables, and its body in DuckDB's own
-- words. A macro that is made for several types has a row for each.
SELECT schema_name = '_store', function_name, function_type = 'table_macro', macro_definition
FROM duckdb_functions()
WHERE database_name = current_database() AND NOT internal;

-- name: tree_of_query
-- A query as the tree that DuckDB reads it as, in JSON.
SELECT json_serialize_sql($query::VARCHAR);

-- name: query_of_tree
-- A tree of a query, in JSON, as a query.
SELECT json_deserialize_sql($tree::JSON);

-- name: records_something
-- One row: whether macros have values of this lexicon's own: of entries, spaces, subcorpora, direct counts, the order.
SELECT EXISTS (FROM _store.derived WHERE kind IN ('entry', 'space', 'subcorpus'))
    OR EXISTS (FROM _store.corpus WHERE NOT has_direct OR kind <> 'trees')
    OR EXISTS (FROM _store.settings WHERE max_order <> $usual_order) AS records_something;

-- name: wrong_totals
-- A row: a table whose counts are gone or changed: what it sums to, or has below 0, and what the others have. Each
-- co-occurrence is counted once in the total of its path, of its lexeme, and of its node.
WITH summed AS (
    SELECT 'path' AS counts, coalesce(sum(count), 0) AS total, coalesce(min(count), 0) AS least FROM _store.path
    UNION ALL
    SELECT 'lexeme', coalesce(sum(cooccurrences), 0), coalesce(least(min(cooccurrences), min(frequency)), 0)
    FROM _store.lexeme
    UNION ALL
    SELECT 'node', coalesce(sum(count), 0), coalesce(min(count), 0) FROM _store.node
    UNION ALL
    SELECT 'cooccurrence', coalesce(sum(count), 0), coalesce(min(count), 0) FROM _store.cooccurrence
)
SELECT counts, CASE WHEN least < 0 THEN 'has counts below 0' ELSE 'sums to ' || total END AS found,
    'sum to ' || (SELECT max(total) FROM summed) AS expected
FROM summed
WHERE least < 0 OR total <> (SELECT max(total) FROM summed)
UNION ALL
SELECT 'cooccurrence', 'sums to 0', 'count ' || sum(frequency) || ' tokens'
FROM _store.lexeme
HAVING sum(frequency) > 0 AND (SELECT max(total) FROM summed) = 0
UNION ALL
SELECT 'lexeme', 'has no row', 'name lexemes'
WHERE NOT EXISTS (FROM _store.lexeme) AND EXISTS (FROM _store.word WHERE lexeme_id IS NOT NULL)
LIMIT 1;

-- name: is_lexicon
-- Whether this database has the settings of a lexicon.
SELECT count(*) > 0 FROM duckdb_tables() WHERE schema_name = '_store' AND table_name = 'settings';

-- name: all_tables
-- A row: a table of the lexicon, as a query names it.
SELECT '"' || replace(schema_name, '"', '""') || '"."' || replace(table_name, '"', '""') || '"' AS name
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary
ORDER BY name ASC;

-- name: whole_table
-- The row: one number of all values of a table, for which all of them are read.
-- @table@: the table, as a query names it.
SELECT bit_xor(hash(each)) AS number FROM @table@ AS each;
