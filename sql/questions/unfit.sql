-- One row: how many names of a thesaurus have what they cannot have in its file.
-- @parts@: the files of the parts.
-- @unfit@: a regular expression of it.
SELECT count(*)
FROM (
    SELECT lexeme FROM read_parquet(@parts@) WHERE regexp_matches(lexeme, @unfit@)
    UNION
    SELECT neighbour FROM read_parquet(@parts@) WHERE regexp_matches(neighbour, @unfit@)
);
