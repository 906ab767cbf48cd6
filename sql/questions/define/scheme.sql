-- A row: @meaning@.
CREATE OR REPLACE MACRO @scheme@(@scheme_parameters@) AS TABLE
FROM _store.weights_as_text('@scheme@', @options@, '@stamp@', @all_given@);

-- A row: the same by default, for those who look for tables.
CREATE OR REPLACE VIEW @scheme@ AS FROM @scheme@();
