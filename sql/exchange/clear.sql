-- Takes away what was staged.
DROP VIEW IF EXISTS _named_weight_of_pos;
DROP VIEW _named_weight;
DROP VIEW _named_path;
DROP VIEW _named_word;
DROP TABLE IF EXISTS _own_weight;
DROP TABLE _staged_weight;
DROP TABLE _staged_row;
DROP TABLE IF EXISTS _staged_column;
DROP TABLE _staged_path;
DROP TABLE _staged_word;
