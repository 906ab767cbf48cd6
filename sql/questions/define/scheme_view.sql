-- A row: @meaning@. Counts are packed, and parameters the defaults; the function of the same name takes others, as
-- counts := 'direct'.
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM @scheme@ WHERE lexeme = 'shoot/NOUN' ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE VIEW @scheme@ AS FROM _store.weights_as_text('@scheme@', @no_options@);
