-- Adds a row for each word as written that the lexicon has not met. Whether it is a lexeme its node in a tree decides.
INSERT INTO _store.word (id, form, lemma, upos, xpos, feats, lexeme_id)
SELECT (SELECT coalesce(max(id), 0) FROM _store.word) + row_number() OVER (ORDER BY form, lemma, upos, xpos, feats),
    form, lemma, upos, xpos, feats, NULL
FROM (SELECT DISTINCT form, lemma, upos, xpos, feats FROM kept_word WHERE position IS NOT NULL) AS written
ANTI JOIN _store.word USING (form, lemma, upos, xpos, feats);
