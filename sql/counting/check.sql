-- Checking a corpus without a lexicon: its contents and faults.

-- name: begin
-- A row: what was found in a chunk, by its kind (relation, part of speech) and name, and how often.
CREATE OR REPLACE TEMP TABLE found (
    kind VARCHAR, name VARCHAR, tokens BIGINT
);

-- A row: a chunk: its sentences, its tokens, its longest sentence in words, and the steps from a root to what is
-- farthest.
CREATE OR REPLACE TEMP TABLE chunk_size (
    sentences BIGINT, tokens BIGINT, longest BIGINT, deepest BIGINT
);

-- name: count
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

-- name: depth
-- Adds a row for the chunk.
INSERT INTO chunk_size
WITH RECURSIVE level (number, depth) AS (
    SELECT number, 0 FROM token WHERE head_number IS NULL
    UNION ALL
    SELECT token.number, level.depth + 1
    FROM level
    JOIN token ON token.head_number = level.number
)
SELECT (SELECT count(DISTINCT sentence) FROM token), (SELECT count(*) FROM token),
    coalesce((SELECT max(position) FROM token), 0), coalesce((SELECT max(depth) FROM level), 0);

-- name: report
-- A row: a property of the file that was read, and its value, as text.
SELECT 'sentences' AS property, coalesce(sum(sentences), 0)::VARCHAR AS value FROM chunk_size
UNION ALL
SELECT 'tokens', coalesce(sum(tokens), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT 'longest sentence', coalesce(max(longest), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT 'deepest tree', coalesce(max(deepest), 0)::VARCHAR FROM chunk_size
UNION ALL
SELECT * FROM (
    SELECT kind || ' ' || name, sum(tokens)::VARCHAR
    FROM found
    GROUP BY kind, name
    ORDER BY kind, sum(tokens) DESC, name
);
