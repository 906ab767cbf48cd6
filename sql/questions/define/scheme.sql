-- A row: @meaning@.
CREATE OR REPLACE MACRO @scheme@(@scheme_parameters@) AS TABLE
FROM _store.weights_as_text('@scheme@', @options@, '@stamp@', @all_given@);
