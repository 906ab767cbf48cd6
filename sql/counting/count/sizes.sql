-- One row: how many co-occurrences the lexicon has, and how many of them gain or lose.
SELECT (SELECT count(*) FROM _store.cooccurrence) AS there, (SELECT count(*) FROM added) AS gained;
