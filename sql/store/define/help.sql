-- A row: a public view or function of this lexicon, its parameters with their defaults, its columns with their types,
-- the meaning of a row or of its value, and an example that runs.
-- Columns: name VARCHAR, kind VARCHAR, parameters VARCHAR, columns VARCHAR, meaning VARCHAR, example VARCHAR
-- Example: FROM aptdb_help WHERE name = 'neighbours'
CREATE OR REPLACE VIEW aptdb_help AS
SELECT one.name, one.kind, one.parameters, one.columns, one.meaning, one.example
FROM (
    SELECT unnest([@help_rows@]) AS one
);
