-- A row: something that this lexicon offers to SQL: a view, a table function or a function, with the parameters that it
-- takes and their defaults, what a row of it or its value is, and an example that runs.
-- Example: FROM aptdb_help WHERE name = 'neighbours'
CREATE OR REPLACE VIEW aptdb_help AS
SELECT one.name, one.kind, one.parameters, one.meaning, one.example
FROM (
    SELECT unnest([@help_rows@]) AS one
);
