-- A row: what the corpus corpus_id, which came as counts, adds to the count of a co-occurrence; below 0 where it is
-- taken away (sign).
CREATE OR REPLACE TEMP VIEW added AS
SELECT lexeme_id, path_id, context_id, getvariable('sign') * count AS count
FROM _store.given_count
WHERE corpus_id = getvariable('corpus_id');

-- A row: how many tokens of a lexeme the corpus has.
CREATE OR REPLACE TEMP VIEW counted_lexeme AS
SELECT lexeme_id, tokens
FROM _store.given_lexeme
WHERE corpus_id = getvariable('corpus_id');
