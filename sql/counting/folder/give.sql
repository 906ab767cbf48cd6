-- Adds a row for each co-occurrence of a file of the folder, by the ids of the lexicon.
-- @file@: the file.
INSERT INTO _store.given_count (corpus_id, lexeme_id, path_id, context_id, count)
SELECT getvariable('corpus_id'), lexeme.own_id AS lexeme_id, path.own_id AS path_id, context.own_id AS context_id,
    own.count
FROM read_parquet(@file@, hive_partitioning = false) AS own
JOIN own_lexeme AS lexeme ON lexeme.lexeme_id = own.lexeme_id
JOIN own_path AS path ON path.path_id = own.path_id
JOIN own_lexeme AS context ON context.lexeme_id = own.context_id
ORDER BY lexeme.own_id, path.own_id, context.own_id;
