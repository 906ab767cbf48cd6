-- A row: a lexeme or path that is otherwise than the folder of counts has it, by its id.
-- @lexemes@: the files of its lexemes.
-- @paths@: those of its paths.
WITH own_lexeme AS (
    SELECT id, [text, frequency::VARCHAR] AS said FROM _store.lexeme
),
their_lexeme AS (
    SELECT lexeme_id AS id, [lexeme, frequency::VARCHAR] AS said
    FROM read_parquet(@lexemes@, hive_partitioning = false)
    WHERE frequency > 0
),
own_path AS (
    SELECT id, [text, inverse_id::VARCHAR] AS said FROM _store.path
),
their_path AS (
    SELECT path_id AS id, [path, inverse_id::VARCHAR] AS said
    FROM read_parquet(@paths@, hive_partitioning = false)
)
SELECT 'lexeme' AS what, coalesce(own_lexeme.said[1], their_lexeme.said[1]) AS row,
    coalesce(array_to_string(own_lexeme.said, ' '), 'none') AS found,
    coalesce(array_to_string(their_lexeme.said, ' '), 'none') AS expected
FROM own_lexeme
FULL JOIN their_lexeme ON their_lexeme.id = own_lexeme.id
WHERE own_lexeme.said IS DISTINCT FROM their_lexeme.said
UNION ALL
SELECT 'path', coalesce(own_path.said[1], their_path.said[1]), coalesce(array_to_string(own_path.said, ' '), 'none'),
    coalesce(array_to_string(their_path.said, ' '), 'none')
FROM own_path
FULL JOIN their_path ON their_path.id = own_path.id
WHERE own_path.said IS DISTINCT FROM their_path.said;
