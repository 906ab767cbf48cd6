-- Writes a table of trees as CoNLL-U, in the order of its rows; a file in which a row is a line, as it is. What parts
-- the columns never occurs, and what is NULL is a blank line. An id that would make its line a comment is kept from it:
-- the reader is to find it at fault.
COPY (
    WITH line AS (
        SELECT begins, number, one_line(sentence) AS sentence, concat_ws(
            chr(9),
            CASE WHEN starts_with(id::VARCHAR, '#') THEN 'id ' ELSE '' END || one_line(id),
            filled(form), filled(lemma), filled(upos), filled(xpos), filled(feats), one_line(head),
            one_line(deprel), '_',
            CASE WHEN space_after THEN '_' ELSE 'SpaceAfter=No' END
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
