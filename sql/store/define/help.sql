-- A row: a public view or function of this lexicon, its parameters with their defaults, its columns with their types,
-- the meaning of a row or of its value, and an example that runs. What each parameter means is in aptdb_parameters.
-- Columns: name VARCHAR, kind VARCHAR, parameters VARCHAR, columns VARCHAR, meaning VARCHAR, example VARCHAR
-- Example: FROM aptdb_help WHERE name = 'neighbours'
CREATE OR REPLACE VIEW aptdb_help AS
SELECT one.name, one.kind, one.parameters, one.columns, one.meaning, one.example
FROM (
    SELECT unnest([@help_rows@]) AS one
);

-- A row: a parameter of a public function, its meaning, its values, its default, and the meaning of NULL. Rows of the
-- function notation say how lexemes, paths, phrases and patterns are written in all functions.
-- Columns: function VARCHAR, parameter VARCHAR, meaning VARCHAR, accepts VARCHAR, default_value VARCHAR, if_null
-- VARCHAR
-- Example: FROM aptdb_parameters WHERE function = 'sketch'
CREATE OR REPLACE VIEW aptdb_parameters AS
SELECT unnest(one.functions) AS function, one.parameter, one.meaning, one.accepts, one.default_value, one.if_null
FROM (
    SELECT unnest([@parameter_rows@]) AS one
);
