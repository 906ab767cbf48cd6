-- Points each word that is a lexeme now to it.
UPDATE _store.word
SET lexeme_id = lexeme.id
FROM new_lexeme
JOIN _store.lexeme ON lexeme.text = new_lexeme.lexeme
WHERE word.id = new_lexeme.id;
