-- A row: a relation of the attached lexicon that paths cannot be made of.
SELECT text
FROM "/other"._store.relation
WHERE regexp_matches(text, '[<>]')
ORDER BY text;
