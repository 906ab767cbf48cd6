-- Keeps the co-occurrences of some lexemes of a part, in the order that makes them their own index.
-- @id@: the part's id.
-- @first@: the first of the lexemes, by id.
-- @last@: the last of them.
INSERT INTO _store.part_cooccurrence (part_id, lexeme_id, path_id, context_id, count)
SELECT @id@, lexeme_id, path_id, context_id, count
FROM added
WHERE lexeme_id BETWEEN @first@ AND @last@
ORDER BY lexeme_id, path_id, context_id;
