-- A row: a lexeme of the folder of counts, with its tokens and the sum of its counts.
-- @lexemes@: the files of lexemes.
-- @paths@: those of paths.
-- @nodes@: those of nodes.
CREATE OR REPLACE TEMP TABLE folder_lexeme AS
SELECT lexeme_id, lexeme, frequency, cooccurrences
FROM read_parquet(@lexemes@, hive_partitioning = false);

-- A row: a path of the folder, with its inverse, its order and the sum of its counts.
CREATE OR REPLACE TEMP TABLE folder_path AS
SELECT path_id, path, inverse_id, path_order, count
FROM read_parquet(@paths@, hive_partitioning = false);

-- A row: a node of the folder, with the sum of its counts.
CREATE OR REPLACE TEMP VIEW folder_node AS
SELECT lexeme_id, path_id, count
FROM read_parquet(@nodes@, hive_partitioning = false);
