-- A row: a grammatical relation that begins with $begin, and how often it is counted.
SELECT substr(text, 2) AS relation, count
FROM _store.path
WHERE path_order = 1 AND starts_with(text, '>' || $begin)
ORDER BY count DESC, relation
