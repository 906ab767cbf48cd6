-- A row: a neighbour of a lexeme, in the order of the parts.
-- @parts@: the files of the parts.
-- @unfit@: a regular expression of what a name cannot have; it becomes _.
SELECT regexp_replace(lexeme, @unfit@, '_', 'g') AS lexeme, regexp_replace(neighbour, @unfit@, '_', 'g') AS neighbour,
    similarity
FROM read_parquet(@parts@)
