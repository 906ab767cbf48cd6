-- One row: how many words of the chunk have no lemma (_) but a form.
SELECT count(*)
FROM token
JOIN _store.word ON word.id = token.word_id
WHERE word.lemma = '_' AND word.form <> '_';
