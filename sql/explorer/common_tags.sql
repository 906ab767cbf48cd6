-- A row: one of the parts of speech of words that are not there for grammar, the most frequent first: in Universal
-- Dependencies, and in the Penn Treebank.
SELECT pos
FROM _store.lexeme
WHERE pos IN ('NOUN', 'VERB', 'ADJ', 'ADV', 'PROPN') OR regexp_full_match(pos, '(NN|VB|JJ|RB).*')
GROUP BY pos
ORDER BY sum(frequency) DESC, pos ASC
LIMIT $most
