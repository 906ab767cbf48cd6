-- Stored trees, read again as if they came from their file.

-- name: damage
-- A row: a corpus whose stored trees are not those that it recorded, and what is wrong. Rows of words, relations and
-- documents are known by ids that they have alone.
-- @store@: the store that the trees are in.
-- $corpora: the names of the corpora that are looked at; NULL for all.
WITH asked AS (SELECT id FROM @store@.corpus WHERE coalesce(list_contains($corpora::VARCHAR[], name), true)),
word_once AS (SELECT id FROM @store@.word GROUP BY id HAVING count(*) = 1),
relation_once AS (SELECT id FROM @store@.relation GROUP BY id HAVING count(*) = 1),
document_once AS (
    -- A row: the id of one document, whose metadata are there once at most.
    SELECT id, any_value(corpus_id) AS corpus_id
    FROM @store@.document
    LEFT JOIN @store@.document_metadata AS metadata ON metadata.document_id = document.id
    GROUP BY id
    HAVING count(*) = 1
),
twice AS (
    -- A row: the id of a sentence whose metadata are there twice.
    SELECT sentence_id FROM @store@.sentence_metadata GROUP BY sentence_id HAVING count(*) > 1
),
tokens_of AS (
    -- A row: a sentence by its id: its tokens, and those of an unknown word or relation.
    SELECT sentence_id, count(*) AS tokens,
        count(*) FILTER (WHERE word_id NOT IN (SELECT id FROM word_once)) AS without_word,
        count(*) FILTER (WHERE relation_id NOT IN (SELECT id FROM relation_once)) AS without_relation
    FROM @store@.token
    WHERE sentence_id IN (SELECT id FROM @store@.sentence WHERE corpus_id IN (SELECT id FROM asked))
    GROUP BY sentence_id
),
stored AS (
    -- A row: a corpus by its id: what is stored of it.
    SELECT sentence.corpus_id AS id, count(*) AS sentences, count(DISTINCT sentence.id) AS different,
        coalesce(sum(tokens), 0) AS tokens,
        sum(without_word)::BIGINT AS without_word, sum(without_relation)::BIGINT AS without_relation,
        count(*) FILTER (
            WHERE sentence.document_id IS NOT NULL AND document_once.corpus_id IS DISTINCT FROM sentence.corpus_id
        ) AS without_document,
        count(*) FILTER (WHERE sentence.id IN (SELECT sentence_id FROM twice)) AS with_metadata_twice
    FROM @store@.sentence
    LEFT JOIN tokens_of ON tokens_of.sentence_id = sentence.id
    LEFT JOIN document_once ON document_once.id = sentence.document_id
    WHERE sentence.corpus_id IN (SELECT id FROM asked)
    GROUP BY sentence.corpus_id
)
SELECT corpus.name AS corpus, CASE
    WHEN corpus.kind NOT IN ('trees', 'counts') THEN 'its kind is ' || corpus.kind
    WHEN count(*) OVER (PARTITION BY corpus.id) > 1 THEN 'another corpus has its id'
    WHEN stored.different < stored.sentences THEN 'a sentence is there twice'
    WHEN stored.without_word > 0 THEN format('{:,d} of its tokens have an unknown word', stored.without_word)
    WHEN stored.without_relation > 0
    THEN format('{:,d} of its tokens have an unknown relation', stored.without_relation)
    WHEN stored.without_document > 0 THEN format('{:,d} of its sentences have an unknown document', without_document)
    WHEN with_metadata_twice > 0 THEN 'the metadata of a sentence are there twice'
    ELSE format(
        'it has {:,d} sentences and {:,d} tokens, and recorded {:,d} and {:,d}', coalesce(stored.sentences, 0),
        coalesce(stored.tokens, 0)::BIGINT, corpus.sentences, corpus.tokens
    )
END AS problem
FROM @store@.corpus
LEFT JOIN stored ON stored.id = corpus.id
WHERE corpus.id IN (SELECT id FROM asked)
QUALIFY corpus.kind NOT IN ('trees', 'counts') OR count(*) OVER (PARTITION BY corpus.id) > 1 OR (
    corpus.kind = 'trees' AND (
        stored.different IS DISTINCT FROM corpus.sentences OR stored.sentences > stored.different
        OR stored.tokens <> corpus.tokens
        OR greatest(without_word, without_relation, without_document, with_metadata_twice) > 0
    )
)
ORDER BY corpus.id;

-- name: parts
-- A row: sentences of corpora that are counted at once, from first to last, some half a million tokens.
-- @store@: the store that the trees are in.
-- @chosen@: which of their sentences are counted, as a condition on token.sentence_id.
-- $corpora: the ids of the corpora.
WITH sentence_size AS (
    SELECT sentence.id, sum(count(*)) OVER (ORDER BY sentence.id) AS tokens_so_far
    FROM @store@.sentence
    JOIN @store@.token ON token.sentence_id = sentence.id
    WHERE sentence.corpus_id IN (SELECT unnest($corpora::INTEGER[])) AND @chosen@
    GROUP BY sentence.id
)
SELECT min(id), max(id)
FROM sentence_size
GROUP BY tokens_so_far // 500000
ORDER BY 1;

-- name: sentences
-- A row: a sentence of the corpora that are counted.
-- @store@: the store that the trees are in.
SELECT id FROM @store@.sentence WHERE corpus_id IN (SELECT unnest(getvariable('stored_corpora')));

-- name: stored_line
-- A row: a token of the sentences first_sentence to last_sentence of a store, as it was written, numbered from 0. MISC
-- and DEPS are read where the trees are kept (with_misc).
-- @store@: the store that the trees are in.
-- @chosen@: which of its sentences are counted, as a condition on token.sentence_id.
CREATE OR REPLACE TEMP TABLE stored_word AS
SELECT (row_number() OVER (ORDER BY token.sentence_id, token.position) - 1)::INTEGER AS number, token.sentence_id,
    token.position, word.id AS word_id, token.head, relation.text AS relation, token.space_after,
    coalesce(misc.text, '') AS misc, coalesce(deps.text, '') AS deps
FROM @store@.token
JOIN @store@.word ON word.id = token.word_id
JOIN @store@.relation ON relation.id = token.relation_id
LEFT JOIN @store@.annotation AS misc ON misc.id = token.misc_id AND getvariable('with_misc')
LEFT JOIN @store@.annotation AS deps ON deps.id = token.deps_id AND getvariable('with_misc')
WHERE token.sentence_id BETWEEN getvariable('first_sentence') AND getvariable('last_sentence') AND @chosen@;

-- The same as the lines of a file are.
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT number, position, word_id::VARCHAR AS written, head, relation, space_after, misc, deps
FROM stored_word;

-- All of them are kept.
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line;

-- A row: a word of theirs, by its id in the store, with its columns.
CREATE OR REPLACE TEMP TABLE written_word AS
SELECT id::VARCHAR AS written, form, lemma, upos, xpos, feats
FROM @store@.word
SEMI JOIN stored_word ON stored_word.word_id = word.id;

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
