-- Counts folders: checked, added as one corpus, or opened in place.

-- name: tables
-- A row: a lexeme of the folder of counts, with its tokens and the sum of its counts.
-- @lexemes@: the files of lexemes.
-- @paths@: those of paths.
-- @nodes@: those of nodes.
-- @direct@: the column of direct counts, or that of counts where there is none.
-- @direct_of_lexemes@: the same of lexemes.
CREATE OR REPLACE TEMP TABLE folder_lexeme AS
SELECT lexeme_id, lexeme, frequency, cooccurrences, @direct_of_lexemes@ AS direct
FROM read_parquet(@lexemes@, hive_partitioning = false);

-- A row: a path of the folder, with its inverse, its order and the sum of its counts.
CREATE OR REPLACE TEMP TABLE folder_path AS
SELECT path_id, path, inverse_id, path_order, count, @direct@ AS direct
FROM read_parquet(@paths@, hive_partitioning = false);

-- A row: a node of the folder, with the sum of its counts.
CREATE OR REPLACE TEMP VIEW folder_node AS
SELECT lexeme_id, path_id, count, @direct@ AS direct
FROM read_parquet(@nodes@, hive_partitioning = false);

-- name: first_wrong_lexeme
-- One row: the first lexeme of the folder that cannot be so, and what is wrong with it; no row if all are right.
SELECT coalesce(lexeme_id, number) AS row, problem
FROM (
    SELECT lexeme_id, number, CASE
        WHEN coalesce(lexeme_id <> number OR times > 1, true) THEN
            'its id is not its number in the order of their texts'
        WHEN coalesce(lexeme, '') = '' THEN 'its text is empty; a lexeme is e.g. dog/NOUN'
        WHEN lacks_pos(lexeme) THEN
            'its text is ''' || left(lexeme, 60) || '''; with these settings it has a part of speech, e.g. dog/NOUN'
        WHEN coalesce(frequency < 0 OR (frequency = 0) <> (cooccurrences = 0), true) THEN
            'it has ' || coalesce(frequency::VARCHAR, 'no') || ' tokens and counts of '
            || coalesce(cooccurrences::VARCHAR, 'nothing')
    END AS problem
    FROM (
        SELECT *, row_number() OVER (ORDER BY lexeme) AS number, count(*) OVER (PARTITION BY lexeme) AS times
        FROM folder_lexeme
    )
)
WHERE problem IS NOT NULL
ORDER BY row
LIMIT 1;

-- name: first_wrong_path
-- One row: the first path of the folder that cannot be so, and what is wrong with it; no row if all are right.
SELECT coalesce(path_id, number) AS row, problem
FROM (
    SELECT own.path_id, own.number, CASE
        WHEN coalesce(own.path_id <> own.number, true) THEN 'the ids are not 1, 2, 3, …'
        WHEN own.times > 1 THEN 'its text is there twice'
        WHEN own.path IS NULL OR NOT (own.path = '' OR coalesce(path_is_valid(own.path), false)) THEN
            'it is ' || coalesce('''' || left(own.path, 60) || '''', 'missing')
            || '; a path is reduced, ups before downs, e.g. <amod>nsubj, and empty for ε'
        WHEN coalesce(own.path_order <> path_order(own.path), true) THEN
            'its order is ' || path_order(own.path) || ', not ' || coalesce(own.path_order::VARCHAR, 'missing')
        WHEN own.path_order > getvariable('max_order') THEN
            'its order is ' || own.path_order || '; the settings count up to ' || getvariable('max_order')
        WHEN coalesce(inverse.path <> path_inverse(own.path), true) THEN
            'its inverse is not ''' || left(path_inverse(own.path), 60) || ''''
        WHEN coalesce(own.count < 1, true) THEN
            'its count is ' || coalesce(own.count::VARCHAR, 'missing') || '; expected 1 or more'
    END AS problem
    FROM (
        SELECT *, row_number() OVER (ORDER BY path_id) AS number, count(*) OVER (PARTITION BY path) AS times
        FROM folder_path
    ) AS own
    LEFT JOIN folder_path AS inverse ON inverse.path_id = own.inverse_id
)
WHERE problem IS NOT NULL
ORDER BY row
LIMIT 1;

-- name: first_wrong_sum
-- One row: the first lexeme or path of the folder whose count, or direct count, is not the sum of its nodes; no row if
-- all are.
WITH by_lexeme AS (
    SELECT lexeme_id, sum(count) AS count, sum(direct) AS direct FROM folder_node GROUP BY lexeme_id
),
by_path AS (SELECT path_id, sum(count) AS count, sum(direct) AS direct FROM folder_node GROUP BY path_id),
-- A row: a lexeme or path, its count and direct count as the folder has them, and as its nodes have them.
compared AS (
    SELECT 'lexeme' AS what, own.lexeme AS text, [own.cooccurrences, own.direct] AS given,
        [coalesce(by_lexeme.count, 0), coalesce(by_lexeme.direct, 0)] AS summed
    FROM folder_lexeme AS own
    LEFT JOIN by_lexeme ON by_lexeme.lexeme_id = own.lexeme_id
    UNION ALL
    SELECT 'path', coalesce(nullif(own.path, ''), 'ε'), [own.count, own.direct],
        [coalesce(by_path.count, 0), coalesce(by_path.direct, 0)]
    FROM folder_path AS own
    LEFT JOIN by_path ON by_path.path_id = own.path_id
)
SELECT what, text, CASE WHEN given[1] <> summed[1] THEN 'counts' ELSE 'direct counts' END AS counts,
    CASE WHEN given[1] <> summed[1] THEN given[1] ELSE given[2] END AS said,
    CASE WHEN given[1] <> summed[1] THEN summed[1] ELSE summed[2] END AS summed
FROM compared
WHERE given <> summed
ORDER BY what, text
LIMIT 1;

-- name: first_wrong_frequency
-- One row: the first lexeme of the folder that does not meet itself along ε once for each of its tokens, by direct
-- counts, or where there are none not as often; no row if all do.
SELECT own.lexeme_id AS row, own.frequency, coalesce(met.direct, 0)::BIGINT AS met
FROM folder_lexeme AS own
LEFT JOIN (
    SELECT folder_node.lexeme_id, folder_node.direct
    FROM folder_node
    JOIN folder_path ON folder_path.path_id = folder_node.path_id AND folder_path.path = ''
) AS met ON met.lexeme_id = own.lexeme_id
WHERE CASE
    WHEN getvariable('has_direct') THEN coalesce(met.direct, 0) <> own.frequency
    ELSE coalesce(met.direct, 0) < own.frequency
END
ORDER BY row
LIMIT 1;

-- name: columns
-- One row: the first column of a file of a folder of counts that is lacking or has another type; no row if none is.
-- @files@: the files of one table.
-- @expected@: its columns, each with its type.
WITH expected AS (SELECT unnest(@expected@, recursive := true)),
file AS (SELECT unnest(@files@) AS file_name),
found AS (SELECT file_name, name, duckdb_type FROM parquet_schema(@files@))
SELECT file.file_name, expected.name, coalesce(found.duckdb_type, 'no column') AS found, expected.type AS expected
FROM file
CROSS JOIN expected
LEFT JOIN found ON found.file_name = file.file_name AND found.name = expected.name
WHERE found.duckdb_type IS DISTINCT FROM expected.type
ORDER BY file.file_name, expected.name
LIMIT 1;

-- name: file
-- One row: what a file of co-occurrences comes to: its rows and the lexemes in it, and how many rows are wrong in some
-- way. one_way and other_way are equal over all files where the counts are the same from both ends.
-- @file@: the file.
-- @direct@: the column of direct counts, or that of counts where there is none.
SELECT count(*) AS rows, min(own.lexeme_id) AS first, max(own.lexeme_id) AS last,
    count(*) FILTER (NOT coalesce(own.count >= 1, false)) AS below_one,
    count(*) FILTER (
        NOT coalesce(own.@direct@ BETWEEN 0 AND own.count, false)
        OR (getvariable('has_direct') AND own.path = '' AND own.lexeme_id <> own.context_id AND own.@direct@ > 0)
    ) AS above_count,
    count(*) FILTER (
        lexeme.lexeme_id IS NULL OR path.path_id IS NULL
        OR NOT coalesce(own.context_id BETWEEN 1 AND getvariable('lexemes'), false)
    ) AS unknown,
    count(*) FILTER (
        own.lexeme IS DISTINCT FROM lexeme.lexeme OR own.path IS DISTINCT FROM path.path
        OR own.context IS DISTINCT FROM context.lexeme
    ) AS misnamed,
    coalesce(sum(own.count), 0)::HUGEINT AS total,
    coalesce(sum(hash(own.lexeme_id, own.path_id, own.context_id, own.count, own.@direct@)::HUGEINT), 0) AS one_way,
    coalesce(
        sum(hash(own.context_id, path.inverse_id, own.lexeme_id, own.count, own.@direct@)::HUGEINT), 0
    ) AS other_way
FROM read_parquet(@file@, hive_partitioning = false) AS own
LEFT JOIN folder_lexeme AS lexeme ON lexeme.lexeme_id = own.lexeme_id
LEFT JOIN folder_lexeme AS context ON context.lexeme_id = own.context_id
LEFT JOIN folder_path AS path ON path.path_id = own.path_id;

-- name: nodes_of_file
-- One row: how many nodes the co-occurrences of a file have, and a digest of them and their sums.
-- @file@: the file.
-- @direct@: the column of direct counts, or that of counts where there is none.
SELECT count(*) AS nodes, coalesce(sum(hash(lexeme_id, path_id, count, direct)::HUGEINT), 0) AS digest
FROM (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count, sum(@direct@)::BIGINT AS direct
    FROM read_parquet(@file@, hive_partitioning = false)
    GROUP BY lexeme_id, path_id
);

-- name: nodes
-- One row: how many nodes the folder says it has, and a digest of them and their sums.
SELECT count(*) AS nodes, coalesce(sum(hash(lexeme_id, path_id, count, direct::BIGINT)::HUGEINT), 0) AS digest
FROM folder_node;

-- name: out_of_order
-- One row: the first row of a file of co-occurrences that is out of order, by number; or no row.
-- Rows without ids are found elsewhere. A lag without order is that of the file, and needs neither sorting nor memory.
-- @file@: the file.
SELECT file_row_number + 1 AS row
FROM (
    SELECT file_row_number, lexeme_id, path_id, context_id, lag(lexeme_id) OVER () AS lexeme_before,
        lag(path_id) OVER () AS path_before, lag(context_id) OVER () AS context_before
    FROM read_parquet(@file@, hive_partitioning = false, file_row_number = true)
)
WHERE lexeme_id < lexeme_before OR (
    lexeme_id = lexeme_before AND (
        path_id < path_before OR (path_id = path_before AND context_id <= context_before)
    )
)
ORDER BY row
LIMIT 1;

-- name: met_lexeme
-- A row: a lexeme that the folder has.
CREATE OR REPLACE TEMP VIEW met_lexeme AS
SELECT lexeme FROM folder_lexeme WHERE frequency > 0;

-- name: add
-- Adds a row for each path that the folder is the first to have. It has the inverse of each.
INSERT INTO _store.path (id, text, path_order, inverse_id, count, merged)
WITH numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY met.path_id) AS id,
        met.path_id, met.path, met.path_order, met.inverse_id
    FROM folder_path AS met
    ANTI JOIN _store.path ON path.text = met.path
)
SELECT numbered.id, numbered.path, numbered.path_order, inverse.id, 0, 0
FROM numbered
JOIN numbered AS inverse ON inverse.path_id = numbered.inverse_id;

-- A row: a lexeme of the folder, by its id there and here.
CREATE OR REPLACE TEMP TABLE own_lexeme AS
SELECT met.lexeme_id, lexeme.id AS own_id, met.frequency
FROM folder_lexeme AS met
JOIN _store.lexeme ON lexeme.text = met.lexeme
WHERE met.frequency > 0;

-- A row: a path of the folder, in the same way.
CREATE OR REPLACE TEMP TABLE own_path AS
SELECT met.path_id, path.id AS own_id
FROM folder_path AS met
JOIN _store.path ON path.text = met.path;

-- Adds a row for each lexeme of the folder, with its tokens.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), own_id, frequency
FROM own_lexeme
ORDER BY own_id;

-- name: give
-- Adds a row for each co-occurrence of a file of the folder, by the ids of the lexicon.
-- @file@: the file.
-- @direct@: the column of direct counts, or that of counts where there is none.
INSERT INTO _store.given_count (corpus_id, lexeme_id, path_id, context_id, count, merged)
SELECT getvariable('corpus_id'), lexeme.own_id AS lexeme_id, path.own_id AS path_id, context.own_id AS context_id,
    own.count, own.count - own.@direct@
FROM read_parquet(@file@, hive_partitioning = false) AS own
JOIN own_lexeme AS lexeme ON lexeme.lexeme_id = own.lexeme_id
JOIN own_path AS path ON path.path_id = own.path_id
JOIN own_lexeme AS context ON context.lexeme_id = own.context_id
ORDER BY lexeme.own_id, path.own_id, context.own_id;

-- name: seen
-- One row: the counts and tokens of the corpus that the transaction sees and has merged; and the tokens of the folder.
SELECT (SELECT coalesce(sum(count), 0) FROM added) AS counts,
    (SELECT coalesce(sum(tokens), 0) FROM counted_lexeme) AS tokens,
    (SELECT sum(frequency) FROM folder_lexeme) AS expected;

-- name: no_counts
-- Takes away the table of counts, in whose place a view of the files of a folder is put.
DROP TABLE _store.cooccurrence;

-- name: open
-- Fills the lexemes, by the ids of the folder.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences, merged)
SELECT lexeme_id, lexeme, lemma_of(lexeme), pos_of(lexeme), frequency, cooccurrences, cooccurrences - direct
FROM folder_lexeme
WHERE frequency > 0
ORDER BY lexeme_id;

-- Fills the paths, in the same way.
INSERT INTO _store.path (id, text, path_order, inverse_id, count, merged)
SELECT path_id, path, path_order, inverse_id, count, count - direct
FROM folder_path
ORDER BY path_id;

-- Fills the nodes, numbered in order, as an addition to an empty lexicon does.
INSERT INTO _store.node (id, lexeme_id, path_id, count, merged)
SELECT row_number() OVER (ORDER BY lexeme_id, path_id), lexeme_id, path_id, count, count - direct
FROM folder_node
ORDER BY lexeme_id, path_id;
