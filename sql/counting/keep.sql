-- KEEP: documents, sentences and tokens are stored as the file has them.

-- name: comment
-- A row: a comment of the chunk that something is kept of, by its line and the word that follows: its name, and what is
-- said; NULL where nothing is.
CREATE OR REPLACE TEMP TABLE comment AS
SELECT line, next_word, trim(split_part(content[2:], '=', 1), chr(9) || ' ') AS name,
    CASE WHEN contains(content, '=')
        THEN nullif(trim(content[strpos(content, '=') + 1:], chr(9) || ' '), '')
    END AS value
FROM other_line
WHERE starts_with(content, '#') AND content <> '#';

-- name: document_start
-- A row: a place in the chunk where a document begins, and its name: what its comment says or, where that says nothing,
-- the name of the corpus with its number among those that begin in it. At the beginning of the chunk the last one of
-- the chunk before goes on; at that of a corpus it is one called like the corpus.
CREATE OR REPLACE TEMP TABLE document_start AS
SELECT -1 AS line, 0 AS next_word, getvariable('open_document') AS name
UNION ALL
SELECT line, next_word, CASE
    WHEN value IS NULL THEN concat_ws(
        '#', getvariable('corpus_name'), getvariable('documents_begun') + row_number() OVER (ORDER BY line)
    )
    WHEN starts_with(value, getvariable('corpus_name') || '#')
        AND regexp_full_match(value[length(getvariable('corpus_name')) + 2:], '[0-9]+')
    THEN error(
        'a document of ' || getvariable('corpus_name') || ' is called ' || value || ', as those are that have no name; '
        || 'give the corpus another name'
    )
    ELSE value
END
FROM comment
WHERE regexp_full_match(name, 'newdoc(\s+id)?');

-- A row: a sentence of the chunk, by its number, and the name of its document.
CREATE OR REPLACE TEMP TABLE sentence_document AS
SELECT span.number, document.name
FROM sentence_span AS span
ASOF JOIN (
    SELECT next_word, arg_max(name, line) AS name FROM document_start GROUP BY next_word
) AS document ON span.first >= document.next_word;

-- name: add_documents
-- Adds a row for each document of the chunk that is new in its corpus.
INSERT INTO _store.document (id, corpus_id, name)
SELECT getvariable('documents_before') + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY first),
    getvariable('corpus_id'), met.name
FROM (SELECT name, min(number) AS first FROM sentence_document GROUP BY name) AS met
ANTI JOIN (
    SELECT name FROM _store.document WHERE corpus_id = getvariable('corpus_id')
) AS known ON known.name = met.name;

-- name: add_sentences
-- Adds a row for each sentence of the chunk, with the sent_id of the comments right before it, and its document.
INSERT INTO _store.sentence (id, corpus_id, sent_id, document_id)
WITH sent_id AS (
    SELECT next_word AS first, arg_max(value, line) AS sent_id FROM comment WHERE name = 'sent_id' GROUP BY next_word
)
SELECT getvariable('sentences_before') + sentence_span.number, getvariable('corpus_id'), sent_id.sent_id, document.id
FROM sentence_span
JOIN sentence_document ON sentence_document.number = sentence_span.number
JOIN _store.document
    ON document.corpus_id = getvariable('corpus_id') AND document.name = sentence_document.name
LEFT JOIN sent_id ON sent_id.first = sentence_span.first
ORDER BY sentence_span.number;

-- name: add_said
-- Adds a row for each comment of the chunk that says something of a document, or of a sentence by one of the names that
-- are wanted.
INSERT INTO _store.said
WITH own AS (
    SELECT line, next_word, name, value,
        (SELECT coalesce(max(place), 0) FROM _store.said) + row_number() OVER (ORDER BY line) AS place
    FROM comment
)
SELECT 'document', document.name, NULL, trim(own.name[7:]), own.value, own.place
FROM own
ASOF JOIN document_start AS document ON own.line >= document.line
WHERE starts_with(own.name, 'meta::') AND length(own.name) > 6 AND own.value IS NOT NULL
UNION ALL
SELECT 'sentence', NULL, getvariable('sentences_before') + span.number, own.name, own.value, own.place
FROM own
JOIN sentence_span AS span ON span.first = own.next_word
WHERE list_contains(getvariable('sentence_meta'), own.name) AND own.value IS NOT NULL;

-- name: add_tokens
-- Adds a row for each token of the chunk, as the file says it.
INSERT INTO _store.token (sentence_id, position, word_id, head, relation_id, space_after)
SELECT getvariable('sentences_before') + sentence, position, word_id, head, relation_id, space_after
FROM token
ORDER BY number;

-- name: add_joined
-- Adds a row for each token of the chunk that is one lexeme with others.
INSERT INTO _store.joined (sentence_id, position, top, word_id)
SELECT getvariable('sentences_before') + token.sentence, token.position, top.position, joined_node.word_id
FROM member
JOIN token ON token.number = member.number
JOIN token AS top ON top.number = member.top
JOIN joined_node ON joined_node.number = member.top
ORDER BY token.number;

-- name: said
-- A row: something that is said of a document, by its name, or of a sentence, by its number; in the order in which it
-- is said. Filled chunk by chunk.
CREATE OR REPLACE TABLE _store.said (
    level VARCHAR, document VARCHAR, sentence_id INTEGER, name VARCHAR, value VARCHAR, place BIGINT
);

-- name: open_document
-- One row: the document that goes on after the chunk, and how many have begun in the corpus.
SELECT arg_max(name, line) AS name, getvariable('documents_begun') + count(*) - 1 AS begun FROM document_start;
