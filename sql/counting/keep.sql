-- KEEP: documents, sentences and tokens are stored as the file has them.

-- name: chunk_part
-- A row: what a corpus has of the chunk, from its first line and first word on: the document that is open there, how
-- many have begun in it before, and the name of its file. A blank line stands between two corpora.
CREATE OR REPLACE TEMP TABLE chunk_part AS
SELECT part.*, coalesce(blank.next_word, 0) AS first_word
FROM (
    SELECT unnest(from_json(getvariable('chunk_parts'), '[{
        "corpus_id": "INTEGER", "corpus": "VARCHAR", "file": "VARCHAR", "document": "VARCHAR", "documents": "BIGINT",
        "first_line": "INTEGER"
    }]'), max_depth := 2)
) AS part
LEFT JOIN other_line AS blank ON blank.line = part.first_line - 1;

-- name: tokens_of_parts
-- A row: a corpus that has tokens in the chunk, and how many.
SELECT part.corpus_id, count(*)
FROM token
ASOF JOIN (
    SELECT first_word, arg_max(corpus_id, first_line) AS corpus_id FROM chunk_part GROUP BY first_word
) AS part ON token.number >= part.first_word
GROUP BY part.corpus_id;

-- name: comment
-- A row: a comment of the chunk that something is kept of: its corpus, its line, the blank line above its block (-1 at
-- the beginning of the chunk), the first word of the sentence that it stands above, its name, and what is said; NULL
-- where nothing is. A comment between or after words is of their sentence; a block without words stands above the next.
CREATE OR REPLACE TEMP TABLE comment AS
SELECT part.corpus_id, own.line, coalesce(blank.line, -1) AS block, coalesce(blank.next_word, 0) AS first,
    trim(split_part(own.content[2:], '=', 1), chr(9) || ' ') AS name,
    CASE WHEN contains(own.content, '=')
        THEN nullif(trim(own.content[strpos(own.content, '=') + 1:], chr(9) || ' '), '')
    END AS value
FROM (SELECT line, content FROM other_line WHERE starts_with(content, '#') AND content <> '#') AS own
ASOF JOIN chunk_part AS part ON own.line >= part.first_line
ASOF LEFT JOIN (SELECT line, next_word FROM other_line WHERE content = '') AS blank ON own.line > blank.line;

-- name: document_start
-- A row: a block of comments that begins a document, the first word of its sentence, and the name: what its last
-- comment with a name says or, where none has one, the name of the corpus with its number among those that begin in it.
-- At the beginning of the chunk the last document of the chunk before goes on; at that of a corpus it is one called
-- like the corpus: its block stands before all of the corpus, and after those of the corpus before.
CREATE OR REPLACE TEMP TABLE document_start AS
SELECT corpus_id, first_line - 2 AS block, first_word AS first, document AS name
FROM chunk_part
UNION ALL
SELECT begun.corpus_id, begun.block, begun.first, CASE
    WHEN begun.said IS NULL THEN concat_ws(
        '#', part.corpus, part.documents + row_number() OVER (PARTITION BY begun.corpus_id ORDER BY begun.block)
    )
    WHEN starts_with(begun.said, part.corpus || '#')
        AND regexp_full_match(begun.said[length(part.corpus) + 2:], '[0-9]+')
    THEN error(
        part.corpus || ' has a document ' || begun.said || ', a name that documents without a name get; '
        || 'give the corpus another name'
    )
    ELSE begun.said
END
FROM (
    SELECT corpus_id, block, first, arg_max(value, line) AS said
    FROM comment
    WHERE regexp_full_match(name, 'newdoc(\s+id)?')
    GROUP BY corpus_id, block, first
) AS begun
JOIN chunk_part AS part ON part.corpus_id = begun.corpus_id;

-- A row: a sentence of the chunk, by its number, its corpus, and the name of its document. (Where corpora have no word,
-- several begin at one; the sentence there is of the last.)
CREATE OR REPLACE TEMP TABLE sentence_document AS
SELECT span.number, document.start.corpus_id, document.start.name
FROM sentence_span AS span
ASOF JOIN (
    SELECT first, arg_max({'corpus_id': corpus_id, 'name': name}, block) AS start
    FROM document_start
    GROUP BY first
) AS document ON span.first >= document.first;

-- name: add_documents
-- Adds a row for each document of the chunk that is new in its corpus.
INSERT INTO _store.document (id, corpus_id, name)
SELECT getvariable('documents_before') + (SELECT count(*) FROM _store.document) + row_number() OVER (ORDER BY first),
    met.corpus_id, met.name
FROM (
    SELECT corpus_id, name, min(number) AS first FROM sentence_document GROUP BY corpus_id, name
) AS met
ANTI JOIN _store.document AS known ON known.corpus_id = met.corpus_id AND known.name = met.name;

-- name: add_sentences
-- Adds a row for each sentence of the chunk, with the sent_id of its comments, and its document.
INSERT INTO _store.sentence (id, corpus_id, sent_id, document_id)
WITH sent_id AS (
    SELECT corpus_id, first, arg_max(value, line) AS sent_id
    FROM comment
    WHERE name = 'sent_id'
    GROUP BY corpus_id, first
)
SELECT getvariable('sentences_before') + sentence_span.number, document.corpus_id, sent_id.sent_id, document.id
FROM sentence_span
JOIN sentence_document AS own ON own.number = sentence_span.number
JOIN _store.document ON document.corpus_id = own.corpus_id AND document.name = own.name
LEFT JOIN sent_id ON sent_id.first = sentence_span.first AND sent_id.corpus_id = own.corpus_id
ORDER BY sentence_span.number;

-- name: add_said
-- Adds a row for each comment of the chunk that says something of a document, or of a sentence by one of the names that
-- are wanted; and one for each document that begins and has a name (level begun). What is said of a document is of the
-- one that its sentence is in, wherever it stands in its block; where several begin above one sentence, of the next.
INSERT INTO _store.said
WITH own AS (
    SELECT corpus_id, block, first, name, value, CASE
        WHEN starts_with(name, 'meta::') THEN trim(name[7:])
        WHEN name = 'doc_title' AND NOT list_contains(getvariable('sentence_meta'), name) THEN name
        ELSE ''
    END AS of_document,
        (SELECT coalesce(max(place), 0) FROM _store.said) + row_number() OVER (ORDER BY line) AS place
    FROM comment
    WHERE value IS NOT NULL
)
SELECT own.corpus_id, 'document', coalesce(document.name, open.name), NULL, own.of_document, own.value, own.place
FROM own
ASOF LEFT JOIN document_start AS document
    ON document.corpus_id = own.corpus_id AND document.first = own.first AND own.block <= document.block
ASOF JOIN document_start AS open ON open.corpus_id = own.corpus_id AND own.block >= open.block
WHERE own.of_document <> ''
UNION ALL
SELECT corpus_id, 'begun', value, NULL, NULL, NULL, place
FROM own
WHERE regexp_full_match(name, 'newdoc(\s+id)?')
UNION ALL
SELECT own.corpus_id, 'sentence', NULL, getvariable('sentences_before') + span.number, own.name, own.value, own.place
FROM own
JOIN sentence_span AS span ON span.first = own.first
JOIN sentence_document ON sentence_document.number = span.number AND sentence_document.corpus_id = own.corpus_id
WHERE list_contains(getvariable('sentence_meta'), own.name);

-- name: add_tokens
-- Adds a row for each token of the chunk, as the file says it.
INSERT INTO _store.token (sentence_id, position, word_id, head, relation_id, space_after, misc_id, deps_id)
SELECT getvariable('sentences_before') + sentence, position, word_id, head, relation_id, space_after, misc_id, deps_id
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
-- A row: something that is said of a document of a corpus, by its name, or of a sentence, by its number; in the order
-- in which it is said. Filled chunk by chunk.
CREATE OR REPLACE TABLE _store.said (
    corpus_id INTEGER, level VARCHAR, document VARCHAR, sentence_id INTEGER, name VARCHAR, value VARCHAR, place BIGINT
);

-- name: open_document
-- One row: the document that goes on after a chunk that a single corpus has, and how many have begun in it.
SELECT arg_max(document_start.name, document_start.block) AS name, any_value(part.documents) + count(*) - 1 AS begun
FROM document_start
JOIN chunk_part AS part USING (corpus_id);

-- name: sentences_of_corpora
-- A row: a corpus that was added, and how many sentences it has.
SELECT corpus_id, count(*) FROM _store.sentence GROUP BY corpus_id;
