-- A row: a co-occurrence of the corpus other_corpus_id of the attached lexicon, as a line of a file of counts has it.
CREATE OR REPLACE TEMP TABLE counts_line AS
SELECT row_number() OVER () AS line, 4 AS columns, lexeme.text AS lexeme, path.text AS path, context.text AS context,
    given_count.count::VARCHAR AS count
FROM "/other"._store.given_count
LEFT JOIN "/other"._store.lexeme ON lexeme.id = given_count.lexeme_id
LEFT JOIN "/other"._store.path ON path.id = given_count.path_id
LEFT JOIN "/other"._store.lexeme AS context ON context.id = given_count.context_id
WHERE given_count.corpus_id = getvariable('other_corpus_id');
