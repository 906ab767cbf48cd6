-- A row: a word that is another lexeme than the settings make of it.
SELECT 'word' AS what, concat_ws(' ', own.form, own.lemma, own.upos, own.xpos) AS row,
    coalesce(lexeme.text, 'no lexeme') AS found,
    coalesce(lexeme_again.text, 'no lexeme') AS expected
FROM _store.word AS own
JOIN "/recount"._store.word AS again USING (form, lemma, upos, xpos)
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN "/recount"._store.lexeme AS lexeme_again ON lexeme_again.id = again.lexeme_id
WHERE lexeme.text IS DISTINCT FROM lexeme_again.text;
