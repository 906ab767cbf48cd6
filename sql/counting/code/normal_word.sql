-- A row: a word that a node of the chunk has and that is no lexeme yet, in the form that lexemes are made of.
CREATE OR REPLACE TEMP TABLE normal_word AS
WITH met AS (
    SELECT word.id, CASE WHEN getvariable('nfc') THEN nfc_normalize(word.form) ELSE word.form END AS form,
        CASE WHEN getvariable('nfc') THEN nfc_normalize(word.lemma) ELSE word.lemma END AS lemma,
        coalesce(getvariable('pos_map')[word.upos], word.upos) AS upos,
        coalesce(getvariable('pos_map')[word.xpos], word.xpos) AS xpos, word.feats
    FROM (SELECT DISTINCT word_id FROM node) AS of_node
    JOIN _store.word ON word.id = of_node.word_id
    WHERE word.lexeme_id IS NULL
)
SELECT id, CASE WHEN getvariable('lowercase') THEN lower(form) ELSE form END AS form,
    CASE WHEN getvariable('lowercase') THEN lower(lemma) ELSE lemma END AS lemma, upos, xpos, feats
FROM met;

-- A row: a form and its stem, where lexemes are made of stems. Filled by add_stems.
CREATE OR REPLACE TEMP TABLE stemmed (form VARCHAR, stem VARCHAR);
