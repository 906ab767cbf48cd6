-- One row: how many nodes the co-occurrences of a file have, and a digest of them and their sums.
-- @file@: the file.
SELECT count(*) AS nodes, coalesce(sum(hash(lexeme_id, path_id, count)::HUGEINT), 0) AS digest
FROM (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count
    FROM read_parquet(@file@, hive_partitioning = false)
    GROUP BY lexeme_id, path_id
);
