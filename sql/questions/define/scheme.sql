-- A row: @meaning@.
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM @scheme@(min_count := 2) WHERE lexeme = 'shoot/NOUN' ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE MACRO @scheme@(@scheme_parameters@) AS TABLE
FROM _store.weights_as_text('@scheme@', @options@, '@stamp@')
WHERE (SELECT _store.check_given('@scheme@', @all_given@) AND _store.check_options('@scheme@', @options@));
