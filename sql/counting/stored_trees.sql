-- Stored trees, read again as if they came from their file.

-- name: parts
-- A row: sentences of the corpus $corpus that are counted at once, from first to last, some half a million tokens.
-- @store@: the store that the trees are in.
-- @chosen@: which of its sentences are counted, as a condition on token.sentence_id.
WITH sentence_size AS (
    SELECT sentence.id, sum(count(*)) OVER (ORDER BY sentence.id) AS tokens_so_far
    FROM @store@.sentence
    JOIN @store@.token ON token.sentence_id = sentence.id
    WHERE sentence.corpus_id = $corpus AND @chosen@
    GROUP BY sentence.id
)
SELECT min(id), max(id)
FROM sentence_size
GROUP BY tokens_so_far // 500000
ORDER BY 1;

-- name: stored_line
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

-- name: first_too_long
-- One row: the first of the stored sentences that has too many words or pairs of words, by corpus and sentence, with
-- both; no row where none has. The pairs of one with too many words are those of all its words.
-- @store@: the store that the sentences are in.
SELECT corpus.name AS corpus, coalesce(sentence.sent_id, 'of id ' || sentence.id) AS sentence,
    span.last - span.first + 1 AS words, coalesce(many_pairs.pairs, (span.last - span.first + 1)::BIGINT ** 2) AS pairs
FROM sentence_span AS span
LEFT JOIN many_pairs ON many_pairs.first = span.first
JOIN @store@.sentence ON sentence.id = span.sentence_id
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
WHERE many_pairs.first IS NOT NULL OR span.last - span.first + 1 > getvariable('max_sentence')
ORDER BY span.first
LIMIT 1;

-- name: first_no_tree
-- One row: the first of the stored words whose heads lead up to no root, by corpus, sentence and position; no row where
-- all do.
-- @store@: the store that the trees are in.
SELECT corpus.name AS corpus, coalesce(sentence.sent_id, 'of id ' || sentence.id) AS sentence, word.position
FROM stored_word AS word
JOIN sentence_span AS span ON span.sentence_id = word.sentence_id
JOIN @store@.sentence ON sentence.id = word.sentence_id
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
WHERE word.head NOT BETWEEN 0 AND span.last - span.first + 1 OR word.head = word.position
    OR word.position <> word.number - span.first + 1 OR word.number IN (SELECT number FROM in_circle)
ORDER BY word.number
LIMIT 1;

-- name: copy_documents
-- Adds a row for each document of the corpus $corpus that is read, as one of corpus_id here.
-- @store@: the store that it is in.
-- @chosen@: which of its sentences are taken, as a condition on token.sentence_id.
INSERT INTO _store.document (id, corpus_id, name)
SELECT $before + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY id),
    getvariable('corpus_id'), name
FROM @store@.document
WHERE corpus_id = $corpus AND id IN (
    SELECT document_id FROM (SELECT id AS sentence_id, document_id FROM @store@.sentence) AS token WHERE @chosen@
);

-- name: copy_sentences
-- Adds a row for each stored sentence that was read, with its sent_id and its document.
-- @store@: the store that the sentences are in.
INSERT INTO _store.sentence (id, corpus_id, sent_id, document_id)
SELECT getvariable('sentences_before') + span.number, getvariable('corpus_id'), sentence.sent_id,
    own.id
FROM sentence_span AS span
JOIN @store@.sentence ON sentence.id = span.sentence_id
LEFT JOIN @store@.document AS theirs ON theirs.id = sentence.document_id
LEFT JOIN _store.document AS own ON own.corpus_id = getvariable('corpus_id') AND own.name = theirs.name
ORDER BY span.number;
