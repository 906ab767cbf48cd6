-- A row: a lexeme of a part with all its features and weights, as a line. DuckDB writes a number with the fewest digits
-- that are read back as the same.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT lexeme.name || chr(9) || string_agg(
    feature.name || chr(9) || weight.weight, chr(9) ORDER BY weight.path, weight.context
) AS line
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
GROUP BY lexeme.place, lexeme.name
ORDER BY lexeme.place;
