-- A row: one weight of a part, as text.
-- @first@: the place of the first lexeme.
-- @last@: that of the last.
SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, weight.weight
FROM _staged_weight AS weight
JOIN _staged_row AS lexeme ON lexeme.place = weight.lexeme
JOIN _staged_path AS path ON path.place = weight.path
JOIN _staged_word AS context ON context.place = weight.context
WHERE weight.lexeme BETWEEN @first@ AND @last@
ORDER BY weight.lexeme, weight.path, weight.context;
