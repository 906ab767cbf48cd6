-- A row: a corpus that the chosen sentences are of.
-- @store@: the store that the sentences are in.
SELECT DISTINCT sentence.corpus_id
FROM _store.chosen_sentence AS chosen
JOIN @store@.sentence ON sentence.id = chosen.sentence_id
ORDER BY sentence.corpus_id;
