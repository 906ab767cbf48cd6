-- CODE, JOIN or STAND, MEET, NAME: words, relations and lexemes get ids.

-- name: of_settings
-- The lemma or form of a lexeme, and its part of speech: in lexicons whose lexemes have one, it follows the last /.
CREATE OR REPLACE TEMP MACRO lemma_of(lexeme) AS
    CASE WHEN getvariable('has_pos') THEN regexp_replace(lexeme, '/[^/]*$', '') ELSE lexeme END;

CREATE OR REPLACE TEMP MACRO pos_of(lexeme) AS
    CASE WHEN getvariable('has_pos') THEN regexp_extract(lexeme, '[^/]*$') END;

-- Whether a lexeme lacks the part of speech that lexemes of this lexicon have.
CREATE OR REPLACE TEMP MACRO lacks_pos(lexeme) AS
    getvariable('has_pos') AND NOT regexp_full_match(lexeme, '.+/[^/]+', 's');

-- A relation without its subtype, where the lexicon has none; and under the name that the settings give it, if they do.
CREATE OR REPLACE TEMP MACRO short_relation(relation) AS
    CASE WHEN getvariable('relations') = 'universal' THEN string_split(relation, ':')[1] ELSE relation END;

CREATE OR REPLACE TEMP MACRO new_relation(relation) AS
    getvariable('relation_map')[short_relation(relation)];

-- name: add_words
-- Adds a row for each word as written that the lexicon has not met. Whether it is a lexeme its node in a tree decides.
INSERT INTO _store.word (id, form, lemma, upos, xpos, feats, lexeme_id)
SELECT greatest(getvariable('last_word'), (SELECT max(id) FROM _store.word), 0)
    + row_number() OVER (ORDER BY form, lemma, upos, xpos, feats),
    form, lemma, upos, xpos, feats, NULL
FROM (SELECT DISTINCT form, lemma, upos, xpos, feats FROM written_word) AS met
ANTI JOIN _store.word USING (form, lemma, upos, xpos, feats);

-- name: add_relations
-- Adds a row for each relation as written that the lexicon has not met, with the label that it is counted under; NULL
-- where such an edge is not counted.
INSERT INTO _store.relation (id, text, label)
WITH written AS (
    SELECT DISTINCT relation AS text
    FROM kept_word
    WHERE position IS NOT NULL
),
named AS (
    SELECT text, coalesce(new_relation(text), short_relation(text)) AS label
    FROM written
)
SELECT (SELECT coalesce(max(id), 0) FROM _store.relation) + row_number() OVER (ORDER BY text), text,
    CASE WHEN NOT list_contains(getvariable('exclude_relations'), label) THEN label END
FROM named
ANTI JOIN _store.relation USING (text);

-- name: add_annotations
-- Adds a row for each text in MISC or DEPS that the lexicon has not met.
INSERT INTO _store.annotation (id, text)
SELECT greatest(getvariable('last_annotation'), (SELECT max(id) FROM _store.annotation), 0)
    + row_number() OVER (ORDER BY text),
    text
FROM (
    SELECT misc AS text FROM kept_word WHERE position IS NOT NULL
    UNION
    SELECT deps FROM kept_word WHERE position IS NOT NULL
) AS met
ANTI JOIN _store.annotation USING (text);

-- name: label
-- A row: a label that edges are counted under, by the first relation that has it.
CREATE OR REPLACE TEMP TABLE label AS
SELECT min(id) AS id, label AS text
FROM _store.relation
WHERE label IS NOT NULL
GROUP BY label;

-- name: token
-- A row: a token of the chunk, numbered from 0, with its head's number (NULL for a root) and everything coded by id
-- (label_id is NULL where the lexicon excludes the relation). A word line whose position or head is not within its
-- sentence has no row.
CREATE OR REPLACE TEMP TABLE token AS
-- A row: a word that is written as one with others, by its number. (A join on ranges of numbers would take most of the
-- time of an addition.)
WITH part AS (
    SELECT first, last, space_after, form, unnest(range(first, last + 1)) AS number
    FROM range_span
    WHERE problem IS NULL
),
-- A row: words that are written as one, as do and n't are; or as no words are, as in and dem are im: those are shown
-- apart.
together AS (
    SELECT part.first, part.last, part.space_after,
        part.form <> string_agg(split_part(word_line.written, chr(9), 1), '' ORDER BY word_line.number) AS apart
    FROM part
    JOIN word_line ON word_line.number = part.number
    GROUP BY part.first, part.last, part.space_after, part.form
),
range_word AS (
    SELECT first + unnest(range(last - first + 1)) AS number,
        CASE WHEN number = last THEN space_after ELSE apart END AS space_after
    FROM together
),
word AS (
    SELECT written_word.written, word.id
    FROM written_word
    JOIN _store.word USING (form, lemma, upos, xpos, feats)
)
SELECT word_line.number, CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number,
    span.number AS sentence, word_line.position, word_line.head, word.id AS word_id,
    relation.id AS relation_id, label.id AS label_id,
    coalesce(range_word.space_after, word_line.space_after) AS space_after, misc.id AS misc_id, deps.id AS deps_id
FROM word_line
JOIN sentence_span AS span
    ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
    AND word_line.head <= span.last - span.first + 1 AND word_line.head <> word_line.position
JOIN word ON word.written = word_line.written
JOIN _store.relation ON relation.text = word_line.relation
LEFT JOIN label ON label.text = relation.label
LEFT JOIN range_word ON range_word.number = word_line.number
JOIN _store.annotation AS misc ON misc.text = word_line.misc
JOIN _store.annotation AS deps ON deps.text = word_line.deps;

-- name: node
-- A row: a node of the trees that are counted, by the number of its token, and the node that it hangs from: NULL for a
-- root, and where the lexicon excludes the relation between the two. Each token is one.
CREATE OR REPLACE TEMP VIEW node AS
SELECT number, word_id, CASE WHEN label_id IS NOT NULL THEN head_number END AS head_number, label_id
FROM token;

-- name: member
-- A row: a token that is one lexeme with others by relations that join, and the top of them, both by number. A top has
-- no such relation to its own head. (Tokens whose heads lead round in a circle have no top, and are no row.)
CREATE OR REPLACE TEMP TABLE member AS
WITH RECURSIVE joining AS MATERIALIZED (
    SELECT token.number, token.head_number
    FROM token
    JOIN label ON label.id = token.label_id
    WHERE token.head_number IS NOT NULL AND list_contains(getvariable('joined_relations'), label.text)
),
member (number, top) AS (
    SELECT DISTINCT up.head_number, up.head_number
    FROM joining AS up
    ANTI JOIN joining AS own ON own.number = up.head_number
    UNION ALL
    SELECT joining.number, member.top
    FROM member
    JOIN joining ON joining.head_number = member.number
)
SELECT number, top
FROM member;

-- name: joined_word
-- A row: a top and the word that its tokens are together, in the order of the text: new_york, with the tags and
-- features of the top.
CREATE OR REPLACE TEMP TABLE joined_word AS
SELECT member.top, string_agg(word.form, '_' ORDER BY member.number) AS form,
    string_agg(word.lemma, '_' ORDER BY member.number) AS lemma,
    max(word.upos) FILTER (member.number = member.top) AS upos,
    max(word.xpos) FILTER (member.number = member.top) AS xpos,
    max(word.feats) FILTER (member.number = member.top) AS feats
FROM member
JOIN token ON token.number = member.number
JOIN _store.word ON word.id = token.word_id
GROUP BY member.top;

-- name: add_joined_words
-- Adds a row for each word that tokens are joined to and the lexicon has not met.
INSERT INTO _store.word (id, form, lemma, upos, xpos, feats, lexeme_id)
SELECT greatest(getvariable('last_word'), (SELECT max(id) FROM _store.word), 0)
    + row_number() OVER (ORDER BY form, lemma, upos, xpos, feats),
    form, lemma, upos, xpos, feats, NULL
FROM (SELECT DISTINCT form, lemma, upos, xpos, feats FROM joined_word) AS met
ANTI JOIN _store.word USING (form, lemma, upos, xpos, feats);

-- name: joined_node
-- A row: a node of a tree whose tokens may be joined: a token, or the top of several, in whose place they all stand.
CREATE OR REPLACE TEMP TABLE joined_node AS
WITH joined AS (
    SELECT joined_word.top, word.id AS word_id
    FROM joined_word
    JOIN _store.word USING (form, lemma, upos, xpos, feats)
)
SELECT token.number, coalesce(joined.word_id, token.word_id) AS word_id,
    coalesce(over.top, token.head_number) AS head_number, token.label_id
FROM token
LEFT JOIN member ON member.number = token.number
LEFT JOIN joined ON joined.top = token.number
LEFT JOIN member AS over ON over.number = token.head_number
WHERE member.top IS NULL OR member.top = token.number;

-- name: node_of_joined
-- A row: the same where tokens are joined.
CREATE OR REPLACE TEMP VIEW node AS
SELECT number, word_id, CASE WHEN label_id IS NOT NULL THEN head_number END AS head_number, label_id
FROM joined_node;

-- name: normal_word
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

-- name: new_lexeme
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
    AND bare.text = lemma_of(filled.text);

-- A row: a lexeme that the chunk has.
CREATE OR REPLACE TEMP VIEW met_lexeme AS
SELECT lexeme FROM new_lexeme WHERE lexeme IS NOT NULL;

-- name: add_lexemes
-- Adds a row for each lexeme of met_lexeme that the lexicon has not met.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences, merged)
SELECT greatest(getvariable('last_lexeme'), (SELECT max(id) FROM _store.lexeme), 0)
    + row_number() OVER (ORDER BY lexeme),
    lexeme, lemma_of(lexeme), pos_of(lexeme), 0, 0, 0
FROM (SELECT DISTINCT lexeme FROM met_lexeme) AS met
ANTI JOIN _store.lexeme ON lexeme.text = met.lexeme;

-- name: name_words
-- Points each word that is a lexeme now to it.

-- A row: a word that is a lexeme now, and that lexeme. (A table, so that words are changed in their order; see
-- count.sql, merge_lexemes.)
CREATE OR REPLACE TEMP TABLE word_lexeme AS
SELECT new_lexeme.id AS word_id, lexeme.id AS lexeme_id
FROM new_lexeme
JOIN _store.lexeme ON lexeme.text = new_lexeme.lexeme;

UPDATE _store.word
SET lexeme_id = word_lexeme.lexeme_id
FROM word_lexeme
WHERE word.id = word_lexeme.word_id;

-- name: forms_to_stem
-- A row: a form whose stem is wanted.
SELECT DISTINCT form FROM normal_word;

-- name: add_stems
-- Adds a row for each form with its stem, from $stems, which is JSON.
INSERT INTO stemmed
SELECT unnest(from_json($stems, '[{"form": "VARCHAR", "stem": "VARCHAR"}]'), max_depth := 2);
