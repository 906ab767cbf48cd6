-- Adds a row for each co-occurrence of some lexemes: all that was counted of it, summed.
-- @first@: the first of the lexemes, by id.
-- @last@: the last of them.
INSERT INTO _store.folded (lexeme_id, path_id, context_id, count)
SELECT lexeme_id, path_id, context_id, sum(count)::BIGINT
FROM _store.counted
WHERE lexeme_id BETWEEN @first@ AND @last@
GROUP BY lexeme_id, path_id, context_id;
