-- A row: what a table has more than once, and must have once.
SELECT 'lexeme' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.lexeme
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'lexeme' AS what, text AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.lexeme
GROUP BY text
HAVING count(*) > 1
UNION ALL
SELECT 'path' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.path
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'path' AS what, coalesce(nullif(text, ''), 'ε') AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.path
GROUP BY text
HAVING count(*) > 1
UNION ALL
SELECT 'relation' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.relation
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'relation' AS what, text AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.relation
GROUP BY text
HAVING count(*) > 1
UNION ALL
SELECT 'word' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.word
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'word' AS what, concat_ws(' ', form, lemma, upos, xpos) AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.word
GROUP BY form, lemma, upos, xpos
HAVING count(*) > 1
UNION ALL
SELECT 'node' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.node
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'sentence' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.sentence
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'corpus' AS what, 'id ' || id AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.corpus
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT 'corpus' AS what, name AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.corpus
GROUP BY name
HAVING count(*) > 1
UNION ALL
SELECT 'token' AS what, 'sentence ' || sentence_id || ', word ' || position AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.token
GROUP BY sentence_id, position
HAVING count(*) > 1
UNION ALL
SELECT 'joined word' AS what, 'sentence ' || sentence_id || ', word ' || position AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.joined
GROUP BY sentence_id, position
HAVING count(*) > 1
UNION ALL
SELECT 'count of a corpus' AS what, concat_ws(' ', 'corpus', corpus_id, 'lexeme', lexeme_id, 'path', path_id, 'context', context_id) AS row, count(*) || ' rows' AS found, '1 row' AS expected
FROM _store.given_count
GROUP BY corpus_id, lexeme_id, path_id, context_id
HAVING count(*) > 1;
