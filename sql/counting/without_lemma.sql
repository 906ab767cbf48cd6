-- One row: the number of words of a corpus that have no lemma (_) but a form, where they are a share of its words that
-- somebody should know of; otherwise none.
-- @corpus@: the name of the corpus.
-- @share@: the least share of its words.
WITH lacking AS (
    SELECT count(*) AS words
    FROM _store.token
    JOIN _store.word ON word.id = token.word_id
    JOIN _store.sentence ON sentence.id = token.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    WHERE word.lemma = '_' AND word.form <> '_' AND corpus.name = @corpus@
)
SELECT lacking.words
FROM lacking
JOIN _store.corpus ON corpus.name = @corpus@
WHERE lacking.words > 0 AND lacking.words >= corpus.tokens * @share@;
