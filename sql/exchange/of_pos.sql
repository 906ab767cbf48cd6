-- A row: a weight of a lexeme that has one of some parts of speech.
-- @tags@: the parts of speech.
CREATE TEMP VIEW _named_weight_of_pos AS
SELECT weight.lexeme_id, weight.path_id, weight.context_id, weight.weight
FROM _named_weight AS weight
JOIN _named_word AS word ON word.id = weight.lexeme_id
JOIN _store.lexeme ON lexeme.text = word.text
WHERE list_contains(@tags@, lexeme.pos);
