-- A row: a corpus of which others sentences or tokens are recorded than are stored. What was counted elsewhere is not
-- stored.
WITH stored AS (
    SELECT corpus.id, count(DISTINCT sentence.id) AS sentences, count(token.position) AS tokens
    FROM _store.corpus
    LEFT JOIN _store.sentence ON sentence.corpus_id = corpus.id
    LEFT JOIN _store.token ON token.sentence_id = sentence.id
    GROUP BY corpus.id
)
SELECT 'corpus' AS what, corpus.name AS row, corpus.sentences || ' sentences, ' || corpus.tokens || ' tokens' AS found,
    stored.sentences || ' sentences, ' || stored.tokens || ' tokens' AS expected
FROM _store.corpus
JOIN stored ON stored.id = corpus.id
WHERE least(corpus.sentences, corpus.tokens) < 0
    OR (corpus.kind <> 'counts' AND (stored.sentences <> corpus.sentences OR stored.tokens <> corpus.tokens));
