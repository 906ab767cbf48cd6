-- A row: the same by default, for those who look for tables.
CREATE OR REPLACE VIEW @scheme@ AS FROM @scheme@();
