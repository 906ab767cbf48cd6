-- A row: a word as the chunk writes it and the lexicon has not met it, with the text of its lexeme by the lexicon's
-- template; NULL where its part of speech is left out.
CREATE OR REPLACE TEMP TABLE new_word AS
SELECT written.form, written.lemma, written.upos, written.xpos, CASE
    WHEN list_contains(getvariable('exclude_upos'), written.upos) THEN NULL
    ELSE array_to_string(
        list_transform(getvariable('lexeme_parts'), lambda part: CASE part
            WHEN '{form}' THEN CASE WHEN getvariable('lowercase') THEN lower(written.form) ELSE written.form END
            WHEN '{lemma}' THEN CASE WHEN getvariable('lowercase') THEN lower(written.lemma) ELSE written.lemma END
            WHEN '{upos}' THEN written.upos
            WHEN '{xpos}' THEN written.xpos
            ELSE part
        END), ''
    )
END AS lexeme
FROM (SELECT DISTINCT form, lemma, upos, xpos FROM word_line WHERE position IS NOT NULL) AS written
ANTI JOIN _store.word USING (form, lemma, upos, xpos);
