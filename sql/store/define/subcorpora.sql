-- One row: how many tokens there are.
CREATE OR REPLACE MACRO _store.tokens_in(subcorpus) AS TABLE (
    WITH _of_subcorpus AS NOT MATERIALIZED (
        SELECT made['tokens']::BIGINT AS tokens FROM _store.derived
        WHERE kind = 'subcorpus' AND id = _store.subcorpus_id(subcorpus)
    ),
    _of_all AS NOT MATERIALIZED (SELECT coalesce(sum(tokens), 0) AS tokens FROM _store.corpus)
    SELECT tokens::BIGINT AS tokens
    FROM query_table(CASE WHEN subcorpus IS NULL THEN '_of_all' ELSE '_of_subcorpus' END)
);

-- A row: a kept subcorpus, the condition on its sentences, and the numbers of its sentences and tokens. state: kept; or
-- stale after the lexicon has changed, until it is counted again.
-- Columns: subcorpus VARCHAR, condition VARCHAR, state VARCHAR, sentences BIGINT, tokens BIGINT, counted_at TIMESTAMP
-- Example: SELECT count(*) AS subcorpora FROM subcorpora
CREATE OR REPLACE VIEW subcorpora AS
SELECT name AS subcorpus, asked['condition'] AS condition, state, try_cast(made['sentences'] AS BIGINT) AS sentences,
    try_cast(made['tokens'] AS BIGINT) AS tokens, made_at AS counted_at
FROM _store.derived
WHERE kind = 'subcorpus'
ORDER BY name ASC;
