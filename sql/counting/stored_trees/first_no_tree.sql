-- One row: the first of the stored words whose heads lead up to no root, by corpus, sentence and position; no row where
-- all do.
-- @store@: the store that the trees are in.
SELECT corpus.name AS corpus, coalesce(sentence.sent_id, 'of id ' || sentence.id) AS sentence, word.position
FROM stored_word AS word
JOIN sentence_span AS span ON span.sentence_id = word.sentence_id
JOIN @store@.sentence ON sentence.id = word.sentence_id
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
WHERE word.head NOT BETWEEN 0 AND span.last - span.first + 1 OR word.head = word.position
    OR word.position <> word.number - span.first + 1 OR word.number IN (SELECT number FROM in_circle)
ORDER BY word.number
LIMIT 1;
