-- Adds a row for each lexeme of the corpus corpus_id, with the tokens that the attached lexicon has of it in the corpus
-- other_corpus_id.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), lexeme.id AS lexeme_id, theirs.tokens
FROM "/other"._store.given_lexeme AS theirs
JOIN "/other"._store.lexeme AS their_lexeme ON their_lexeme.id = theirs.lexeme_id
JOIN _store.lexeme ON lexeme.text = their_lexeme.text
WHERE theirs.corpus_id = getvariable('other_corpus_id')
ORDER BY lexeme_id;
