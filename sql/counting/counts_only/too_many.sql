-- One row: whether all counts of the corpus and of the lexicon together are more than a BIGINT holds.
SELECT coalesce(corpus.total, 0) + coalesce(lexicon.total, 0) > 9223372036854775807
FROM (SELECT sum(count) AS total FROM counts_text) AS corpus,
    (SELECT sum(count) AS total FROM _store.path) AS lexicon;
