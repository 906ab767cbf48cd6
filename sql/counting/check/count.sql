-- Adds a row for each relation and each part of speech of the chunk, and one for words without a lemma.
INSERT INTO found
SELECT 'relation', relation.text, count(*)
FROM token
JOIN _store.relation ON relation.id = token.relation_id
GROUP BY relation.text
UNION ALL
SELECT 'part of speech', word.upos, count(*)
FROM token
JOIN _store.word ON word.id = token.word_id
GROUP BY word.upos
UNION ALL
SELECT 'words', 'without a lemma', count(*)
FROM token
JOIN _store.word ON word.id = token.word_id
WHERE word.lemma = '_' AND word.form <> '_'
HAVING count(*) > 0;
