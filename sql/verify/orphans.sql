-- A row: what rows of a table refer to by its id, and is not there.
SELECT 'sentence' AS what, 'corpus ' || corpus_id AS row, count(*) || ' rows refer to it' AS found,
    'a corpus of that id' AS expected
FROM _store.sentence
WHERE corpus_id IS NOT NULL AND corpus_id NOT IN (SELECT id FROM _store.corpus)
GROUP BY corpus_id
UNION ALL
SELECT 'token' AS what, 'sentence ' || sentence_id AS row, count(*) || ' rows refer to it' AS found,
    'a sentence of that id' AS expected
FROM _store.token
WHERE sentence_id IS NOT NULL AND sentence_id NOT IN (SELECT id FROM _store.sentence)
GROUP BY sentence_id
UNION ALL
SELECT 'token' AS what, 'word ' || word_id AS row, count(*) || ' rows refer to it' AS found,
    'a word of that id' AS expected
FROM _store.token
WHERE word_id IS NOT NULL AND word_id NOT IN (SELECT id FROM _store.word)
GROUP BY word_id
UNION ALL
SELECT 'token' AS what, 'relation ' || relation_id AS row, count(*) || ' rows refer to it' AS found,
    'a relation of that id' AS expected
FROM _store.token
WHERE relation_id IS NOT NULL AND relation_id NOT IN (SELECT id FROM _store.relation)
GROUP BY relation_id
UNION ALL
SELECT 'joined word' AS what, 'sentence ' || sentence_id AS row, count(*) || ' rows refer to it' AS found,
    'a sentence of that id' AS expected
FROM _store.joined
WHERE sentence_id IS NOT NULL AND sentence_id NOT IN (SELECT id FROM _store.sentence)
GROUP BY sentence_id
UNION ALL
SELECT 'joined word' AS what, 'word ' || word_id AS row, count(*) || ' rows refer to it' AS found,
    'a word of that id' AS expected
FROM _store.joined
WHERE word_id IS NOT NULL AND word_id NOT IN (SELECT id FROM _store.word)
GROUP BY word_id
UNION ALL
SELECT 'word' AS what, 'lexeme ' || lexeme_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.word
WHERE lexeme_id IS NOT NULL AND lexeme_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY lexeme_id
UNION ALL
SELECT 'marginal' AS what, 'lexeme ' || lexeme_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.node
WHERE lexeme_id IS NOT NULL AND lexeme_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY lexeme_id
UNION ALL
SELECT 'marginal' AS what, 'path ' || path_id AS row, count(*) || ' rows refer to it' AS found,
    'a path of that id' AS expected
FROM _store.node
WHERE path_id IS NOT NULL AND path_id NOT IN (SELECT id FROM _store.path)
GROUP BY path_id
UNION ALL
SELECT 'count' AS what, 'lexeme ' || lexeme_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.cooccurrence
WHERE lexeme_id IS NOT NULL AND lexeme_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY lexeme_id
UNION ALL
SELECT 'count' AS what, 'path ' || path_id AS row, count(*) || ' rows refer to it' AS found,
    'a path of that id' AS expected
FROM _store.cooccurrence
WHERE path_id IS NOT NULL AND path_id NOT IN (SELECT id FROM _store.path)
GROUP BY path_id
UNION ALL
SELECT 'count' AS what, 'lexeme ' || context_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.cooccurrence
WHERE context_id IS NOT NULL AND context_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY context_id
UNION ALL
SELECT 'count of a corpus' AS what, 'corpus ' || corpus_id AS row, count(*) || ' rows refer to it' AS found,
    'a corpus of that id' AS expected
FROM _store.given_count
WHERE corpus_id IS NOT NULL AND corpus_id NOT IN (SELECT id FROM _store.corpus)
GROUP BY corpus_id
UNION ALL
SELECT 'count of a corpus' AS what, 'lexeme ' || lexeme_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.given_count
WHERE lexeme_id IS NOT NULL AND lexeme_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY lexeme_id
UNION ALL
SELECT 'count of a corpus' AS what, 'path ' || path_id AS row, count(*) || ' rows refer to it' AS found,
    'a path of that id' AS expected
FROM _store.given_count
WHERE path_id IS NOT NULL AND path_id NOT IN (SELECT id FROM _store.path)
GROUP BY path_id
UNION ALL
SELECT 'count of a corpus' AS what, 'lexeme ' || context_id AS row, count(*) || ' rows refer to it' AS found,
    'a lexeme of that id' AS expected
FROM _store.given_count
WHERE context_id IS NOT NULL AND context_id NOT IN (SELECT id FROM _store.lexeme)
GROUP BY context_id;
