-- A row: one weight, with the number of its lexeme and that of its feature.
SELECT lexeme.number AS lexeme, feature.number AS feature, weight.weight
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context;
