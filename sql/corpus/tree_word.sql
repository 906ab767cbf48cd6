-- One line of text: a value with a space for each control character. To replace what is not there costs twice as much
-- as to look for it.
-- @xpos@: the column xpos of the table, or NULL where it has none.
-- @feats@: the column feats, likewise.
-- @space_after@: the column space_after, likewise.
CREATE OR REPLACE TEMP MACRO one_line(value) AS
    CASE WHEN regexp_matches(value::VARCHAR, '\p{Cc}') THEN regexp_replace(value::VARCHAR, '\p{Cc}', ' ', 'g')
        ELSE value::VARCHAR END;

-- The same, and `_` for nothing, or nothing but spaces.
CREATE OR REPLACE TEMP MACRO filled(value) AS
    CASE WHEN coalesce(trim(one_line(value), ' '), '') = '' THEN '_' ELSE one_line(value) END;

-- A row: a row of a table of trees, which is a word, with its number, from 1, and whether it begins a sentence. Windows
-- over the rows as they stand keep none of them. xpos, feats and space_after are columns that it need not have.
CREATE OR REPLACE TEMP VIEW tree_word AS
SELECT row_number() OVER () AS number, sentence IS DISTINCT FROM lag(sentence) OVER () AS begins,
    sentence, id, form, lemma, upos, @xpos@ AS xpos, @feats@ AS feats, head, deprel,
    coalesce(@space_after@, true) AS space_after
FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true);
