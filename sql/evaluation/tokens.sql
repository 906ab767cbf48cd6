-- One row: the number of the lexicon's tokens.
SELECT coalesce(sum(tokens), 0)::BIGINT
FROM _store.corpus;
