-- Adds a row for each word as written that the lexicon has not met, pointing to its lexeme.
INSERT INTO _store.word (id, form, lemma, upos, xpos, lexeme_id)
SELECT (SELECT coalesce(max(id), 0) FROM _store.word)
    + row_number() OVER (ORDER BY new_word.form, new_word.lemma, new_word.upos, new_word.xpos),
    new_word.form, new_word.lemma, new_word.upos, new_word.xpos, lexeme.id
FROM new_word
LEFT JOIN _store.lexeme ON lexeme.text = new_word.lexeme;
