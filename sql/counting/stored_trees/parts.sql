-- A row: sentences of the corpus $corpus that are counted at once, from first to last, some half a million tokens.
-- @store@: the store that the trees are in.
-- @chosen@: which of its sentences are counted, as a condition on token.sentence_id.
WITH sentence_size AS (
    SELECT sentence.id, sum(count(*)) OVER (ORDER BY sentence.id) AS tokens_so_far
    FROM @store@.sentence
    JOIN @store@.token ON token.sentence_id = sentence.id
    WHERE sentence.corpus_id = $corpus AND @chosen@
    GROUP BY sentence.id
)
SELECT min(id), max(id)
FROM sentence_size
GROUP BY tokens_so_far // 500000
ORDER BY 1;
