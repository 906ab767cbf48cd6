-- A row: a co-occurrence of the corpus corpus_id, which came as counts, to be taken out.
CREATE OR REPLACE TEMP TABLE given AS
SELECT lexeme_id, path_id, context_id, -count AS count
FROM _store.given_count
WHERE corpus_id = getvariable('corpus_id');

CREATE OR REPLACE TEMP VIEW added AS
FROM given;

DELETE FROM _store.given_count WHERE corpus_id = getvariable('corpus_id');
