-- A row: a co-occurrence of the corpus other_corpus_id of the attached lexicon, as text.
CREATE OR REPLACE TEMP TABLE counts_text AS
SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, given_count.count, 0 AS line
FROM "/other"._store.given_count
JOIN "/other"._store.lexeme ON lexeme.id = given_count.lexeme_id
JOIN "/other"._store.path ON path.id = given_count.path_id
JOIN "/other"._store.lexeme AS context ON context.id = given_count.context_id
WHERE given_count.corpus_id = getvariable('other_corpus_id');

-- A row: a path of the corpus, with its inverse and its order.
CREATE OR REPLACE TEMP TABLE counts_path AS
SELECT path.text, inverse.text AS inverse, path.path_order
FROM (SELECT DISTINCT path AS text FROM counts_text) AS met
JOIN "/other"._store.path ON path.text = met.text
JOIN "/other"._store.path AS inverse ON inverse.id = path.inverse_id;
