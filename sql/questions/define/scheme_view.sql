-- A row: the weight of one co-occurrence under a scheme by default, for those who look for tables.
CREATE OR REPLACE VIEW @scheme@ AS FROM _store.weights_as_text('@scheme@', _store.no_options(), '@stamp@');
