-- Adds a row for each relation as written that the lexicon has not met, with the label that it is counted under.
INSERT INTO _store.relation (id, text, label)
SELECT (SELECT coalesce(max(id), 0) FROM _store.relation) + row_number() OVER (ORDER BY relation), relation,
    CASE WHEN getvariable('relations') = 'universal' THEN string_split(relation, ':')[1] ELSE relation END
FROM (SELECT DISTINCT relation FROM word_line WHERE position IS NOT NULL) AS written
ANTI JOIN _store.relation ON relation.text = written.relation;
