-- A row: a token of the chunk that was read, as a phrase has it: its sentence, its position, its lexeme (NULL where its part
-- of speech is left out), the position of its head and its relation.
SELECT token.sentence, token.position, lexeme.text, token.head, label.text
FROM token
JOIN label ON label.id = token.label_id
LEFT JOIN _store.lexeme ON lexeme.id = token.lexeme_id
ORDER BY token.number;
