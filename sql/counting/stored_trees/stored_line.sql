-- A row: a token of the sentences first_sentence to last_sentence of a store, as it was written, numbered from 0.
-- @store@: the store that the trees are in.
-- @chosen@: which of its sentences are counted, as a condition on token.sentence_id.
CREATE OR REPLACE TEMP TABLE stored_word AS
SELECT (row_number() OVER (ORDER BY token.sentence_id, token.position) - 1)::INTEGER AS number, token.sentence_id,
    token.position, word.form, word.lemma, word.upos, word.xpos, word.feats, token.head,
    relation.text AS relation, token.space_after
FROM @store@.token
JOIN @store@.word ON word.id = token.word_id
JOIN @store@.relation ON relation.id = token.relation_id
WHERE token.sentence_id BETWEEN getvariable('first_sentence') AND getvariable('last_sentence') AND @chosen@;

-- The same as the lines of a file are.
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT number, position, form, lemma, upos, xpos, feats, head, relation, space_after
FROM stored_word;

-- All of them are kept.
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line;

-- A row: a sentence, by the numbers of its first and last word.
CREATE OR REPLACE TEMP TABLE sentence_span AS
SELECT min(number) AS first, max(number) AS last, (row_number() OVER (ORDER BY sentence_id))::INTEGER AS number,
    sentence_id
FROM stored_word
GROUP BY sentence_id;

-- A row: words written as one. There is none: what follows a token is stored with it.
CREATE OR REPLACE TEMP TABLE range_span (
    line BIGINT, first INTEGER, last BIGINT, form VARCHAR, space_after BOOLEAN, problem VARCHAR
);
