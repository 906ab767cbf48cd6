-- Files of tables: the columns of one, its rows as words, and its sentences written as CoNLL-U.

-- name: column_types
-- A row: a column of a table, in its order, and its type.
SELECT column_name, column_type
FROM (
    DESCRIBE
    SELECT * FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true)
);

-- name: tree_word
-- One line of text: a value with a space for each control character. To replace what is not there costs twice as much
-- as to look for it.
-- @xpos@: the column xpos of the table, or NULL where it has none.
-- @feats@: the column feats, likewise.
-- @space_after@: the column space_after, likewise.
-- @deps@: the column deps, likewise.
-- @misc@: the column misc, likewise.
CREATE OR REPLACE TEMP MACRO one_line(value) AS
    CASE WHEN regexp_matches(value::VARCHAR, '\p{Cc}') THEN regexp_replace(value::VARCHAR, '\p{Cc}', ' ', 'g')
        ELSE value::VARCHAR END;

-- The same, and `_` for nothing, or nothing but spaces.
CREATE OR REPLACE TEMP MACRO filled(value) AS
    CASE WHEN coalesce(trim(one_line(value), ' '), '') = '' THEN '_' ELSE one_line(value) END;

-- A row: a row of a table of trees, which is a word, with its number, from 1, and whether it begins a sentence. Windows
-- over the rows as they stand keep none of them. xpos, feats, space_after, deps and misc are columns that it need not
-- have.
CREATE OR REPLACE TEMP VIEW tree_word AS
SELECT row_number() OVER () AS number, sentence IS DISTINCT FROM lag(sentence) OVER () AS begins,
    sentence, id, form, lemma, upos, @xpos@ AS xpos, @feats@ AS feats, head, deprel,
    coalesce(@space_after@, true) AS space_after, @deps@ AS deps, @misc@ AS misc
FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true);

-- name: write_conllu
-- Writes a table of trees as CoNLL-U, in the order of its rows; a file in which a row is a line, as it is. What parts
-- the columns never occurs, and what is NULL is a blank line. An id that would make its line a comment is kept from it:
-- the reader is to find it at fault.
COPY (
    WITH line AS (
        SELECT begins, number, one_line(sentence) AS sentence, concat_ws(
            chr(9),
            CASE WHEN starts_with(id::VARCHAR, '#') THEN 'id ' ELSE '' END || one_line(id),
            filled(form), filled(lemma), filled(upos), filled(xpos), filled(feats), one_line(head),
            one_line(deprel), filled(deps), CASE
                WHEN space_after THEN filled(misc) ELSE concat_ws('|', nullif(filled(misc), '_'), 'SpaceAfter=No')
            END
        ) AS word
        FROM tree_word
    )
    SELECT unnest(CASE
        WHEN NOT begins THEN [word]
        WHEN number = 1 THEN ['# sent_id = ' || sentence, word]
        ELSE [NULL, '# sent_id = ' || sentence, word]
    END)
    FROM line
) TO (getvariable('conllu_file')) (FORMAT csv, HEADER false, DELIMITER E'\x01', QUOTE '', ESCAPE '', NULLSTR '');
