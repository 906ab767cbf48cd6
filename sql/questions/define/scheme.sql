-- A row: @meaning@. Counts are packed; with counts := 'direct', of those of the trees themselves, the weight is the
-- score of sketch by this scheme.
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE
-- Example: FROM @scheme@(min_count := 2) WHERE lexeme = 'shoot/NOUN' ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE MACRO @scheme@(@scheme_parameters@) AS TABLE
SELECT weight.*
FROM (SELECT @in_use@, @all_given@) AS _in_use
CROSS JOIN _store.constants('@scheme@', row(@options@)) AS _constants
CROSS JOIN _store.weights_as_text('@scheme@', @options@) AS weight
WHERE _store.admitted('@stamp@', _store.check_given('@scheme@', @all_given@)
    AND _store.check_options('@scheme@', @options@));
