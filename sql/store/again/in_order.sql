-- A row: a co-occurrence of a slice, in the order that makes the counts their own index.
CREATE OR REPLACE TEMP VIEW cooccurrence_of_slice AS
SELECT lexeme_id, path_id, context_id, count
FROM _store.cooccurrence
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
ORDER BY lexeme_id, path_id, context_id;

-- A row: a node of the slice, in the same order, by the id that it has.
CREATE OR REPLACE TEMP VIEW node_of_slice AS
SELECT id, lexeme_id, path_id, count
FROM _store.node
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
ORDER BY lexeme_id, path_id;
