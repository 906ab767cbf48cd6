-- One row: how many lexemes there are in the table names, or features, and how many have another name than they
-- should.
-- @names@: the table of names.
SELECT count(*) AS names, count(*) FILTER (name <> text) AS renamed
FROM @names@;
