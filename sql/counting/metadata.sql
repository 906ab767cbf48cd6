-- Metadata of documents and sentences: kinds, their types, and columns.

-- name: copy_documents
-- Adds what the attached lexicon says of the documents of its corpus $corpus, which is $own here.
INSERT INTO _store.document_metadata BY NAME
SELECT own.id AS document_id, said.* EXCLUDE (document_id)
FROM "/other"._store.document_metadata AS said
JOIN "/other"._store.document AS theirs ON theirs.id = said.document_id AND theirs.corpus_id = $corpus
JOIN _store.document AS own ON own.corpus_id = $own AND own.name = theirs.name
ORDER BY own.id;

-- name: copy_sentences
-- Adds what the attached lexicon says of the sentences of its corpus $corpus, which is $own here: they are in the same
-- order.
-- @chosen@: the statement that gives the ids of the sentences there that were taken.
INSERT INTO _store.sentence_metadata BY NAME
WITH theirs AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place
    FROM "/other"._store.sentence
    SEMI JOIN (@chosen@) AS chosen ON chosen.sentence_id = id
    WHERE corpus_id = $corpus
),
own AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM _store.sentence WHERE corpus_id = $own)
SELECT own.id AS sentence_id, said.* EXCLUDE (sentence_id)
FROM "/other"._store.sentence_metadata AS said
JOIN theirs ON theirs.id = said.sentence_id
JOIN own ON own.place = theirs.place
ORDER BY own.id;

-- name: parquet_rows
-- A row: a row of a table, each cell as text, '' where there is none.
-- @file@: the file of the table.
SELECT coalesce(COLUMNS(*)::VARCHAR, '') FROM read_parquet(@file@);

-- name: without_sentences
-- A row: the name of a document that begins in a corpus that is added and has no sentence, in the order in which they
-- begin.
SELECT said.document
FROM _store.said
ANTI JOIN _store.document AS kept ON kept.corpus_id = said.corpus_id AND kept.name = said.document
WHERE said.level = 'begun'
GROUP BY said.corpus_id, said.document
ORDER BY min(said.place);

-- name: said_of_documents
-- A row: a corpus that is added, and a name under which something is said of its documents.
SELECT DISTINCT corpus_id, name FROM _store.said WHERE level = 'document';

-- name: add_given
-- Adds a row for each value that is given for all documents of a corpus, or for one by its name: $given is JSON.
INSERT INTO _store.said
WITH given AS (
    SELECT unnest(from_json($given, '[{"document": "VARCHAR", "name": "VARCHAR", "value": "VARCHAR"}]'), max_depth := 2)
)
SELECT document.corpus_id, 'document', document.name, NULL, given.name, given.value, -1
FROM given
JOIN _store.document ON document.name = given.document
UNION ALL
SELECT document.corpus_id, 'document', document.name, NULL, given.name, given.value, -1
FROM given
CROSS JOIN _store.document
WHERE given.document IS NULL;

-- name: add_elsewhere
-- A row: a value that a table has under a name, of whatever document: $given is JSON.
CREATE OR REPLACE TABLE _store.elsewhere AS
SELECT 'document' AS level, given.name, given.value
FROM (
    SELECT unnest(from_json($given, '[{"document": "VARCHAR", "name": "VARCHAR", "value": "VARCHAR"}]'), max_depth := 2)
) AS given
WHERE given.document IS NOT NULL;

-- name: sent_ids
-- A row: a sentence that is added, and its sent_id, which a pattern reads.
SELECT id, sent_id AS text FROM _store.sentence;

-- name: comments_of_sentences
-- A row: a sentence that is added, and a comment of it that a pattern reads.
SELECT sentence_id AS id, value AS text
FROM _store.said
WHERE level = 'sentence' AND name = getvariable('from_source');

-- name: document_names
-- A row: a document that is added, and its name, which a pattern reads.
SELECT id, name AS text FROM _store.document;

-- name: file_names
-- A row: a document that is added, and the name of the file that it is in, which a pattern reads.
SELECT document.id, part.file AS text FROM _store.document JOIN chunk_part AS part USING (corpus_id);

-- name: comments_of_documents
-- A row: a document that is added, and a comment of it that a pattern reads.
SELECT document.id, said.value AS text
FROM _store.said
JOIN _store.document ON document.corpus_id = said.corpus_id AND document.name = said.document
WHERE said.level = 'document' AND said.name = getvariable('from_source');

-- name: sentence_units
-- A row: a sentence that is added, its corpus, and what a message calls it.
SELECT id, corpus_id, NULL::VARCHAR AS document,
    coalesce('sent_id ' || sent_id, 'sentence ' || row_number() OVER (PARTITION BY corpus_id ORDER BY id)) AS label
FROM _store.sentence;

-- name: document_units
-- A row: a document that is added, its corpus, and what a message calls it.
SELECT id, corpus_id, name AS document, 'document ' || name AS label FROM _store.document;

-- name: matched
-- A row: a sentence or a document that is added, its corpus, a text of it that a pattern reads (NULL if it has none),
-- whether the pattern matches a part of the text, and what each group of the pattern found in it ('' for nothing).
-- @units@: the statement that gives the sentences or documents.
-- @texts@: the statement that gives their texts.
-- @pattern@: the regular expression.
-- @groups@: a name for each of its groups.
CREATE OR REPLACE TABLE _store.matched AS
SELECT unit.id, unit.corpus_id, unit.document, unit.label, read.text,
    coalesce(regexp_matches(read.text, @pattern@), false) AS is_match,
    regexp_extract(read.text, @pattern@, @groups@) AS part
FROM (@units@) AS unit
LEFT JOIN (@texts@) AS read ON read.id = unit.id;

-- name: missed
-- A row: a corpus, how many sentences or documents it has, how many have no text that matches, and the first of these
-- with a text of it.
WITH unit AS (
    SELECT id, corpus_id, label, bool_or(is_match) AS is_match, min(text) AS text FROM _store.matched GROUP BY ALL
)
SELECT corpus_id, count(*), count(*) FILTER (NOT is_match), arg_min(label, id) FILTER (NOT is_match),
    arg_min_null(text, id) FILTER (NOT is_match)
FROM unit
GROUP BY corpus_id
ORDER BY corpus_id;

-- name: add_found
-- Adds a row for each value that a pattern has found.
-- @values@: the names of its groups with what they found, as a list.
-- @level@: document or sentence.
INSERT INTO _store.said
WITH found AS (
    SELECT id, corpus_id, document, unnest(@values@) AS of_group FROM _store.matched WHERE is_match
)
SELECT corpus_id, @level@, document, CASE WHEN document IS NULL THEN id END, of_group.name, of_group.value, -1
FROM found
WHERE of_group.value <> '';

-- name: drop_read
-- Removes what was read of sentences for patterns alone.
-- @kept@: the comments that are kept.
DELETE FROM _store.said WHERE level = 'sentence' AND place >= 0 AND NOT list_contains(@kept@::VARCHAR[], name);

-- name: settled
-- A row: what is said under one name of a document or a sentence of a corpus, by its id. Several values are one text.
CREATE OR REPLACE TABLE _store.settled AS
WITH once AS (
    SELECT corpus_id, level, document, sentence_id, name, value, min(place) AS place
    FROM _store.said
    WHERE level <> 'begun'
    GROUP BY ALL
)
SELECT once.corpus_id, once.level, coalesce(once.sentence_id, document.id) AS id, once.name,
    string_agg(once.value, '; ' ORDER BY once.place, once.value) AS value
FROM once
LEFT JOIN _store.document ON document.corpus_id = once.corpus_id AND document.name = once.document
WHERE once.sentence_id IS NOT NULL OR document.id IS NOT NULL
GROUP BY ALL;

-- name: kinds
-- A row: a kind of metadata that a corpus has, the type that fits all its values (whole numbers, numbers, dates, or
-- text; also those that a table has of other corpora), and for each narrower type the first value that is none.
WITH own AS (
    SELECT corpus_id, level, name, value FROM _store.settled
    UNION ALL
    SELECT NULL, level, name, value
    FROM _store.elsewhere
    SEMI JOIN _store.settled USING (level, name)
),
-- A row: a value, and what it may be: a number has no more digits than a DOUBLE keeps.
told AS (
    SELECT corpus_id, level, name, value, regexp_full_match(value, '0|-?[1-9][0-9]{0,17}') AS is_whole,
        regexp_full_match(value, '-?(0|[1-9][0-9]*)(\.[0-9]+)?') AND value <> '-0'
            AND length(regexp_replace(value, '[^0-9]', '', 'g')) <= 15 AS is_number,
        regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND NOT starts_with(value, '0000')
            AND try_cast(value AS DATE) IS NOT NULL AS is_date
    FROM own
),
-- A row: the values under a name that a corpus has, or that the table has (corpus_id is NULL).
narrowed AS (
    SELECT corpus_id, level, name, min(value) FILTER (NOT is_whole) AS not_whole,
        min(value) FILTER (NOT is_number) AS not_number, min(value) FILTER (NOT is_date) AS not_date
    FROM told
    GROUP BY corpus_id, level, name
),
-- The same of a corpus and the table together.
met AS (
    SELECT own.corpus_id, own.level, own.name, least(own.not_whole, other.not_whole) AS not_whole,
        least(own.not_number, other.not_number) AS not_number, least(own.not_date, other.not_date) AS not_date
    FROM narrowed AS own
    LEFT JOIN narrowed AS other ON other.corpus_id IS NULL AND other.level = own.level AND other.name = own.name
    WHERE own.corpus_id IS NOT NULL
)
SELECT corpus_id, level, name, CASE
    WHEN not_whole IS NULL THEN 'BIGINT'
    WHEN not_number IS NULL THEN 'DOUBLE'
    WHEN not_date IS NULL THEN 'DATE'
    ELSE 'VARCHAR'
END AS type, not_whole, not_number, not_date
FROM met
ORDER BY corpus_id, level, name;

-- name: has_trees
-- One row: whether a corpus with trees is recorded.
SELECT EXISTS (FROM _store.corpus WHERE kind = 'trees');

-- name: kinds_of_corpora
-- A row: a corpus with trees that is recorded, and for each of some kinds of metadata whether anything in it has one.
-- @level@: document or sentence.
-- @kinds@: whether some row has a value, for each kind.
SELECT [@kinds@]
FROM _store.corpus
LEFT JOIN _store.@level@ AS own ON own.corpus_id = corpus.id
LEFT JOIN _store.@level@_metadata AS said ON said.@level@_id = own.id
WHERE corpus.kind = 'trees'
GROUP BY corpus.id;

-- name: bring
-- Adds a row for each document or sentence of which something is said.
-- @draft@: the store of the draft.
-- @level@: document or sentence.
-- @values@: the value of each kind, by its name.
INSERT INTO _store.@level@_metadata BY NAME
SELECT id AS @level@_id, @values@
FROM @draft@.settled
WHERE level = '@level@'
GROUP BY id
ORDER BY id;

-- name: columns
-- A row: a kind of metadata that a store keeps, by the table and its column.
-- @database@: the database of the store, as text.
SELECT table_name, column_name, data_type
FROM system.main.duckdb_columns()
WHERE database_name = @database@ AND schema_name = '_store' AND (
    (table_name = 'document_metadata' AND column_name <> 'document_id')
    OR (table_name = 'sentence_metadata' AND column_name <> 'sentence_id')
)
ORDER BY table_name, column_index;

-- name: is_used
-- One row: whether anything is said under a name.
-- @table@: the table of metadata.
-- @kind@: the column of that name.
SELECT count(*) > 0 FROM _store.@table@ WHERE @kind@ IS NOT NULL;
