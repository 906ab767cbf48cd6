-- Views that show a column for each kind of metadata that there is. They are made again when one comes or goes.

-- A row: a document of a corpus, by its name in the file, with its metadata.
-- Columns: corpus VARCHAR, document VARCHAR, and one for each kind of metadata
-- Example: FROM documents LIMIT 10
CREATE OR REPLACE VIEW documents AS
SELECT corpus.name AS corpus, document.name AS document, said.* EXCLUDE (document_id)
FROM _store.document
JOIN _store.corpus ON corpus.id = document.corpus_id
LEFT JOIN _store.document_metadata AS said ON said.document_id = document.id;

-- A row: a sentence, its text, its document, its sent_id, its number of tokens, and its own metadata, with a column for
-- each kind (that of its document is in documents). The document is NULL in corpora that were added before documents
-- were stored. sentence_number is the same as sentence, named as in evidence.
-- Columns: corpus VARCHAR, document VARCHAR, sentence INTEGER, sent_id VARCHAR, text VARCHAR, tokens BIGINT,
-- sentence_number INTEGER, and one for each kind of metadata
-- Example: FROM sentences WHERE sentence = 1
CREATE OR REPLACE VIEW sentences AS
SELECT corpus.name AS corpus, document.name AS document, sentence.id AS sentence, sentence.sent_id, written.text,
    written.tokens, sentence.id AS sentence_number, said.* EXCLUDE (sentence_id)
FROM (
    SELECT token.sentence_id, trim(
            string_agg(word.form || CASE WHEN token.space_after THEN ' ' ELSE '' END, '' ORDER BY token.position ASC)
        ) AS text, count(*) AS tokens
    FROM _store.token
    JOIN _store.word ON word.id = token.word_id
    GROUP BY token.sentence_id
) AS written
JOIN _store.sentence ON sentence.id = written.sentence_id
JOIN _store.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN _store.document ON document.id = sentence.document_id
LEFT JOIN _store.sentence_metadata AS said ON said.sentence_id = sentence.id;
