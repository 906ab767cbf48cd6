-- A row: a weight as the scheme's function of the same name has it by default, for those who look for tables.
CREATE OR REPLACE VIEW raw_count AS FROM raw_count();
CREATE OR REPLACE VIEW probability AS FROM probability();
CREATE OR REPLACE VIEW pmi AS FROM pmi();
CREATE OR REPLACE VIEW ppmi AS FROM ppmi();
CREATE OR REPLACE VIEW lmi AS FROM lmi();
CREATE OR REPLACE VIEW log_dice AS FROM log_dice();
CREATE OR REPLACE VIEW log_likelihood AS FROM log_likelihood();
