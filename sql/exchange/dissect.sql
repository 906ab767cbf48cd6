-- A row: a lexeme of a part with all its features and weights, as lines of three words each.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT string_agg(
    lexeme.name || chr(9) || feature.name || chr(9) || weight.weight, chr(10) ORDER BY weight.path, weight.context
) AS lines
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_column AS feature ON feature.path = weight.path AND feature.context = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
GROUP BY lexeme.place
ORDER BY lexeme.place;
