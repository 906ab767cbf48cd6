-- A row: @meaning@.
CREATE OR REPLACE MACRO @scheme@(@scheme_parameters@) AS TABLE
FROM _store.weights_as_text('@scheme@', @options@, '@stamp@')
WHERE (SELECT _store.check_given('@scheme@', @all_given@) AND _store.check_options('@scheme@', @options@));
