-- A row: a public view or function of this lexicon, its parameters with their defaults, the meaning of a row or of its
-- value, and an example that runs.
-- Example: FROM aptdb_help WHERE name = 'neighbours'
CREATE OR REPLACE VIEW aptdb_help AS
SELECT one.name, one.kind, one.parameters, one.meaning, one.example
FROM (
    SELECT unnest([@help_rows@]) AS one
);
