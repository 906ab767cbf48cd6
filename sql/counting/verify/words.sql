-- A row: a word that is another lexeme than the settings make of it, or that no tree has, or that is missing.
SELECT 'word' AS what, concat_ws(' ', form, lemma, upos, xpos, feats) AS row,
    CASE WHEN own.id IS NULL THEN 'no word' ELSE coalesce(lexeme.text, 'no lexeme') END AS found,
    CASE WHEN again.id IS NULL THEN 'no word' ELSE coalesce(lexeme_again.text, 'no lexeme') END AS expected
FROM _store.word AS own
FULL JOIN "/recount"._store.word AS again USING (form, lemma, upos, xpos, feats)
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN "/recount"._store.lexeme AS lexeme_again ON lexeme_again.id = again.lexeme_id
WHERE lexeme.text IS DISTINCT FROM lexeme_again.text OR own.id IS NULL OR again.id IS NULL;
