-- Adds a row for each token of the chunk that is one lexeme with others.
INSERT INTO _store.joined (sentence_id, position, top, word_id)
SELECT getvariable('sentences_before') + token.sentence, token.position, top.position, joined_node.word_id
FROM member
JOIN token ON token.number = member.number
JOIN token AS top ON top.number = member.top
JOIN joined_node ON joined_node.number = member.top
ORDER BY token.number;
