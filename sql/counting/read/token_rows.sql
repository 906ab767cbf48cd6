-- A row: a node of a tree of the chunk that was read, as a phrase has it: its sentence, its position, its lexeme (NULL
-- where it is left out), the position of its head (0 for a root) and its relation.
SELECT token.sentence, token.position, lexeme.text, coalesce(head.position, 0), coalesce(label.text, relation.text)
FROM node
JOIN token ON token.number = node.number
JOIN _store.word ON word.id = node.word_id
JOIN _store.relation ON relation.id = token.relation_id
LEFT JOIN label ON label.id = node.label_id
LEFT JOIN token AS head ON head.number = node.head_number
LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
ORDER BY token.number;
