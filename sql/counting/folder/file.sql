-- One row: what a file of co-occurrences comes to: its rows and the lexemes in it, and how many rows are wrong in some
-- way. one_way and other_way are equal over all files where the counts are the same from both ends.
-- @file@: the file.
SELECT count(*) AS rows, min(own.lexeme_id) AS first, max(own.lexeme_id) AS last,
    count(*) FILTER (NOT coalesce(own.count >= 1, false)) AS below_one,
    count(*) FILTER (
        lexeme.lexeme_id IS NULL OR path.path_id IS NULL
        OR NOT coalesce(own.context_id BETWEEN 1 AND getvariable('lexemes'), false)
    ) AS unknown,
    count(*) FILTER (own.lexeme IS DISTINCT FROM lexeme.lexeme OR own.path IS DISTINCT FROM path.path) AS misnamed,
    coalesce(sum(own.count), 0)::HUGEINT AS total,
    coalesce(sum(hash(own.lexeme_id, own.path_id, own.context_id, own.count)::HUGEINT), 0) AS one_way,
    coalesce(sum(hash(own.context_id, path.inverse_id, own.lexeme_id, own.count)::HUGEINT), 0) AS other_way
FROM read_parquet(@file@, hive_partitioning = false) AS own
LEFT JOIN folder_lexeme AS lexeme ON lexeme.lexeme_id = own.lexeme_id
LEFT JOIN folder_path AS path ON path.path_id = own.path_id;
