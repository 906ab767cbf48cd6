-- One row: the first of the stored sentences that has too many words or pairs of words, by corpus and sentence, with
-- both; no row where none has. The pairs of one with too many words are those of all its words.
-- @store@: the store that the sentences are in.
SELECT corpus.name AS corpus, coalesce(sentence.sent_id, 'of id ' || sentence.id) AS sentence,
    span.last - span.first + 1 AS words, coalesce(many_pairs.pairs, (span.last - span.first + 1)::BIGINT ** 2) AS pairs
FROM sentence_span AS span
LEFT JOIN many_pairs ON many_pairs.first = span.first
JOIN @store@.sentence ON sentence.id = span.sentence_id
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
WHERE many_pairs.first IS NOT NULL OR span.last - span.first + 1 > getvariable('max_sentence')
ORDER BY span.first
LIMIT 1;
