-- A row: a weight of a lexeme in a period.
-- @period@: the number of the period.
-- @part@: the part that it is kept as.
-- @lexeme@: the lexeme.
SELECT @period@ AS period, path, context, weight
FROM ppmi(part := @part@)
WHERE lexeme = @lexeme@;
