-- One row: how many tokens the lexicon has.
SELECT coalesce(sum(tokens), 0)::BIGINT AS tokens FROM _store.corpus;
