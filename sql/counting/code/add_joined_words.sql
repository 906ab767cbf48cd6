-- Adds a row for each word that tokens are joined to and the lexicon has not met.
INSERT INTO _store.word (id, form, lemma, upos, xpos, feats, lexeme_id)
SELECT (SELECT coalesce(max(id), 0) FROM _store.word) + row_number() OVER (ORDER BY form, lemma, upos, xpos, feats),
    form, lemma, upos, xpos, feats, NULL
FROM (SELECT DISTINCT form, lemma, upos, xpos, feats FROM joined_word) AS met
ANTI JOIN _store.word USING (form, lemma, upos, xpos, feats);
