-- Checks of the tables of a lexicon: rows refer to rows that exist, and stand once.

-- name: declared
-- A row: a column of a table of ours, and whether it may be NULL.
SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()
WHERE schema_name = '_store' AND table_name <> 'alembic_version' ORDER BY table_name, column_index;

-- name: columns
-- A row: a column that a table of ours lacks, has beside its own, or has in another type; or a whole table. Tables of
-- metadata have a column for each kind.
-- @expected@: the columns, each with its table and type.
WITH expected AS (SELECT unnest(@expected@, recursive := true)),
found AS (
    SELECT table_name, column_name, data_type
    FROM system.main.duckdb_columns()
    WHERE database_name = system.main.current_database() AND schema_name = '_store'
        AND table_name IN (SELECT table_name FROM expected)
)
SELECT 'table' AS what, table_name || ' ' || column_name AS row, coalesce(found.data_type, 'no column') AS found,
    coalesce(expected.data_type, 'no column') AS expected
FROM found
FULL JOIN expected USING (table_name, column_name)
WHERE found.data_type IS DISTINCT FROM expected.data_type AND NOT coalesce(
    expected.data_type IS NULL AND table_name IN ('document_metadata', 'sentence_metadata')
    AND found.data_type IN ('BIGINT', 'DOUBLE', 'DATE', 'VARCHAR'), false
);

-- name: content
-- One row: a digest of every column of a table, so that each of its blocks is read; and in how many rows each column is
-- NULL that never is.
-- @table@: a table of the store.
-- @columns@: its columns.
-- @absent@: of each column that is never NULL, whether it is.
SELECT bit_xor(hash(@columns@)) AS digest, @absent@
FROM _store.@table@;

-- name: duplicates
-- A row: a key that rows of table have more than once, and must have once.
-- @table@: a table of the store.
-- @key@: the columns that its rows are known by.
SELECT '@table@' AS what, concat_ws(' ', @key@) AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.@table@
GROUP BY @key@
HAVING count(*) > 1;

-- name: orphans
-- A row: an id by which rows of table refer to a reference that is not there.
-- @table@: a table of the store.
-- @referring@: a column of ids.
-- @reference@: what they are ids of.
-- @known@: the relation of it, after its schema.
SELECT '@table@' AS what, '@reference@ ' || @referring@ AS row, count(*) || ' rows refer to it' AS found,
    'a @reference@ of that id' AS expected
FROM _store.@table@
WHERE @referring@ IS NOT NULL AND @referring@ NOT IN (SELECT id FROM _store.@known@)
GROUP BY @referring@;

-- name: settings
-- A row: what a lexicon says of itself that cannot be so.
SELECT 'settings' AS what, 'uid' AS row, uid AS found, 'a UUID' AS expected
FROM _store.settings
WHERE NOT regexp_full_match(uid, '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')
UNION ALL
SELECT 'settings', 'runs', runs::VARCHAR, '0 or more'
FROM _store.settings
WHERE runs < 0
UNION ALL
SELECT 'settings', 'schema', count(*) || ' rows', '1 row'
FROM _store.alembic_version
HAVING count(*) <> 1;
