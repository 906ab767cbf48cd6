-- One row: how many tokens there are.
CREATE OR REPLACE MACRO _store.tokens_in(part) AS TABLE (
    WITH _of_part AS NOT MATERIALIZED (
        SELECT tokens FROM _store.part WHERE id = _store.part_id(part)
    ),
    _of_all AS NOT MATERIALIZED (
        SELECT coalesce(sum(tokens), 0) AS tokens FROM _store.corpus
    )
    SELECT tokens::BIGINT AS tokens FROM query_table(CASE WHEN part IS NULL THEN '_of_all' ELSE '_of_part' END)
);

-- A row: a part of the corpora: the sentences for which its condition holds, and how many they and their tokens are.
-- state: kept, or stale after the lexicon has changed, until it is counted anew.
-- Example: SELECT count(*) AS parts FROM parts
CREATE OR REPLACE VIEW parts AS
SELECT name AS part, condition, state, sentences, tokens, counted_at
FROM _store.part
ORDER BY name ASC;
