-- The value of a feature in FEATS, `_` where there is none.
CREATE OR REPLACE TEMP MACRO feature_of(feats, name) AS
    coalesce(
        list_filter(string_split(feats, '|'), lambda each: starts_with(each, name || '='))[1][len(name) + 2:], '_'
    );

-- A row: a word that is no lexeme yet, with the text of its lexeme by the lexicon's template; NULL where it is left
-- out.
CREATE OR REPLACE TEMP TABLE new_lexeme AS
WITH filled AS (
    SELECT normal_word.id, normal_word.upos, length(normal_word.form) AS characters, array_to_string(
        list_transform(getvariable('lexeme_parts'), lambda part: CASE
            WHEN part = '{form}' THEN normal_word.form
            WHEN part = '{lemma}' THEN normal_word.lemma
            WHEN part = '{stem}' THEN stemmed.stem
            WHEN part = '{upos}' THEN normal_word.upos
            WHEN part = '{xpos}' THEN normal_word.xpos
            WHEN starts_with(part, '{feats:') THEN feature_of(normal_word.feats, part[8:-2])
            ELSE part
        END), ''
    ) AS text
    FROM normal_word
    LEFT JOIN stemmed ON stemmed.form = normal_word.form
),
stop_word AS (
    SELECT CASE WHEN getvariable('nfc') THEN nfc_normalize(entry) ELSE entry END AS text
    FROM (SELECT unnest(getvariable('stop_list')) AS entry)
),
-- A row: what the stop list calls a lexeme, or a word of any part of speech.
stopped AS (
    SELECT CASE
            WHEN getvariable('lowercase') AND contains(text, '/')
            THEN lower(regexp_replace(text, '/[^/]*$', '')) || regexp_extract(text, '/[^/]*$')
            ELSE text
        END AS text, true AS with_pos
    FROM stop_word
    UNION
    SELECT CASE WHEN getvariable('lowercase') THEN lower(text) ELSE text END, false
    FROM stop_word
)
SELECT filled.id, CASE
    WHEN list_contains(getvariable('exclude_upos'), filled.upos) THEN NULL
    WHEN filled.characters < getvariable('min_token_length') THEN NULL
    WHEN whole.text IS NOT NULL OR bare.text IS NOT NULL THEN NULL
    ELSE filled.text
END AS lexeme
FROM filled
LEFT JOIN stopped AS whole ON whole.with_pos AND whole.text = filled.text
LEFT JOIN stopped AS bare ON NOT bare.with_pos
    AND bare.text = CASE
        WHEN getvariable('has_pos') THEN regexp_replace(filled.text, '/[^/]*$', '') ELSE filled.text
    END;
