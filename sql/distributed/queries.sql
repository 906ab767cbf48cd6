-- What tasks do with counts, once they have counted: number lexemes and paths, and sum up.

-- name: totals
-- A row: a lexeme of what a task counted, its tokens (count), and about how many contexts it meets there (direct); or a
-- path in the direction that was counted, and all that is counted along it.
SELECT lexeme, NULL::VARCHAR AS path, sum(tokens)::BIGINT AS count, sum(contexts)::BIGINT AS direct
FROM (
    SELECT lexeme, if(path IS NULL, count, 0) AS tokens, if(path IS NULL, 0, 1) AS contexts FROM counted
    UNION ALL
    SELECT context, 0, 1 FROM counted WHERE path IS NOT NULL
)
GROUP BY lexeme
UNION ALL
SELECT NULL, path, sum(count)::BIGINT, sum(direct)::BIGINT
FROM counted
WHERE path IS NOT NULL
GROUP BY path;

-- name: numbered_lexeme
-- A row: a lexeme, numbered in the order of the texts, its tokens, and the part of the folder that it goes to. All
-- parts have about as many co-occurrences.
-- @parts@: how many parts there are.
SELECT row_number() OVER (ORDER BY lexeme)::INTEGER AS lexeme_id, lexeme, sum(count)::BIGINT AS frequency,
    floor(
        (sum(sum(direct)) OVER (ORDER BY lexeme) - sum(direct)) * @parts@ / sum(sum(direct)) OVER ()
    )::INTEGER AS part
FROM totals
WHERE lexeme IS NOT NULL
GROUP BY lexeme
ORDER BY lexeme_id;

-- name: numbered_path
-- A row: a path, numbered in the order of the texts, with its inverse, which is counted just as often, and its order.
WITH counted_path AS (
    SELECT path, sum(count)::BIGINT AS count, sum(direct)::BIGINT AS direct
    FROM totals
    WHERE path IS NOT NULL
    GROUP BY path
),
met AS (
    SELECT path, count, direct FROM counted_path
    UNION
    SELECT path_inverse(path), count, direct FROM counted_path
),
numbered AS (SELECT row_number() OVER (ORDER BY path)::INTEGER AS path_id, path, count, direct FROM met)
SELECT numbered.path_id, numbered.path, inverse.path_id AS inverse_id,
    path_order(numbered.path)::INTEGER AS path_order, numbered.count, numbered.direct
FROM numbered
JOIN numbered AS inverse ON inverse.path = path_inverse(numbered.path)
ORDER BY numbered.path_id;

-- name: met_texts
-- A row: a lexeme of what a task counted, and its number.
CREATE TEMP TABLE met AS
SELECT lexeme_id, lexeme
FROM numbered_lexeme
SEMI JOIN (SELECT lexeme FROM counted UNION SELECT context FROM counted) AS own USING (lexeme);

-- name: numbered_rows
-- A row: what a task counted of a co-occurrence, by numbers, in both directions of its path, in the order of lexemes.
WITH coded AS MATERIALIZED (
    SELECT met.lexeme_id, path.path_id, path.inverse_id, context.lexeme_id AS context_id, counted.count, counted.direct
    FROM counted
    JOIN numbered_path AS path ON path.path = counted.path
    JOIN met ON met.lexeme = counted.lexeme
    JOIN met AS context ON context.lexeme = counted.context
)
SELECT lexeme_id, path_id, context_id, count, direct FROM coded
UNION ALL
SELECT context_id, inverse_id, lexeme_id, count, direct FROM coded WHERE inverse_id <> path_id
ORDER BY lexeme_id, path_id, context_id;

-- name: sum_part
-- Sums what all tasks counted of the lexemes of a part.
-- @first@: the first lexeme of the part.
-- @last@: the last of them.
-- A row: a co-occurrence of the part.
CREATE TEMP TABLE summed AS
SELECT lexeme_id, path_id, context_id, sum(count)::BIGINT AS count, sum(direct)::BIGINT AS direct
FROM arrived
WHERE lexeme_id BETWEEN @first@ AND @last@
GROUP BY lexeme_id, path_id, context_id;

-- A row: a node of the part.
CREATE TEMP TABLE node AS
SELECT lexeme_id, path_id, sum(count)::BIGINT AS count, sum(direct)::BIGINT AS direct
FROM summed
GROUP BY lexeme_id, path_id;

-- A row: a lexeme that occurs in the part, and its tokens.
CREATE TEMP TABLE met AS
SELECT lexeme_id, lexeme, frequency
FROM numbered_lexeme
SEMI JOIN (SELECT context_id AS lexeme_id FROM summed UNION SELECT lexeme_id FROM node) AS own USING (lexeme_id);

-- name: cooccurrences
-- A row: how often a lexeme meets a context along a path, by their numbers and as text.
SELECT summed.*, met.lexeme, path.path, context.lexeme AS context
FROM summed
JOIN met ON met.lexeme_id = summed.lexeme_id
JOIN numbered_path AS path ON path.path_id = summed.path_id
JOIN met AS context ON context.lexeme_id = summed.context_id
ORDER BY summed.lexeme_id, summed.path_id, summed.context_id;

-- name: lexemes
-- A row: a lexeme, its tokens and the sums of its counts.
SELECT lexeme_id, any_value(lexeme) AS lexeme, any_value(frequency) AS frequency,
    sum(count)::BIGINT AS cooccurrences, sum(direct)::BIGINT AS direct
FROM node
JOIN met USING (lexeme_id)
GROUP BY lexeme_id
ORDER BY lexeme_id;

-- name: met
-- A row: a word and a relation that tokens of a chunk have, and how many do, one chunk after another.
CREATE TABLE _store.met (word_id INTEGER, relation_id INTEGER, tokens BIGINT);

-- name: add_met
-- Adds a row for each word and relation that tokens of the chunk have.
INSERT INTO _store.met (word_id, relation_id, tokens)
SELECT word_id, relation_id, count(*)
FROM token
GROUP BY word_id, relation_id;

-- name: in_circles
-- One row: whether words of the chunk lead round in a circle, so that no root leads down to them.
SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node);

-- name: counted_rows
-- A row: how often a lexeme meets a context along a path, in the sentences of a round. Of a path and its inverse, which
-- have the same counts, it is the one whose text comes first. Where path is NULL: a lexeme, and how many tokens it has.
WITH named AS (
    SELECT lexeme.text AS lexeme, path.text AS path, inverse.text AS inverse, context.text AS context, counted.count,
        counted.count - counted.merged AS direct
    FROM _store.counted
    JOIN _store.lexeme ON lexeme.id = counted.lexeme_id
    JOIN _store.path ON path.id = counted.path_id
    JOIN _store.path AS inverse ON inverse.id = path.inverse_id
    JOIN _store.lexeme AS context ON context.id = counted.context_id
)
SELECT CASE WHEN path <= inverse THEN lexeme ELSE context END AS lexeme, least(path, inverse) AS path,
    CASE WHEN path <= inverse THEN context ELSE lexeme END AS context, count, direct
FROM named
UNION ALL
SELECT lexeme.text, NULL, NULL, sum(counted_lexeme.tokens)::BIGINT, NULL
FROM _store.counted_lexeme
JOIN _store.lexeme ON lexeme.id = counted_lexeme.lexeme_id
GROUP BY lexeme.text;
