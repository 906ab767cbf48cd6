-- A row: how often a lexeme occurs with a context along a path, sorted by the three ids, from the files of a folder of
-- counts.
-- @files@: the files, in the order of their lexemes.
CREATE OR REPLACE VIEW _store.cooccurrence AS
SELECT lexeme_id, path_id, context_id, count
FROM read_parquet(@files@, hive_partitioning = false);
