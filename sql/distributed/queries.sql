-- Aggregation of what tasks counted, in the SQL that DuckDB, Spark and Sail share.

-- name: cooccurrences
-- A row: how often a lexeme meets a context along a path, by their numbers and as text; and the part that it goes to.
SELECT numbered_lexeme.part, numbered_lexeme.lexeme_id, numbered_path.path_id, context.lexeme_id AS context_id,
    both_ways.count, both_ways.direct, both_ways.lexeme, both_ways.path, both_ways.context
FROM both_ways
JOIN numbered_lexeme ON numbered_lexeme.lexeme = both_ways.lexeme
JOIN numbered_path ON numbered_path.path = both_ways.path
JOIN numbered_lexeme AS context ON context.lexeme = both_ways.context;

-- name: nodes
-- A row: a node of a lexeme's APT, and all that the lexeme meets there; and the part that it goes to.
SELECT numbered_lexeme.part, numbered_lexeme.lexeme_id, numbered_path.path_id, counted_node.count, counted_node.direct
FROM counted_node
JOIN numbered_lexeme ON numbered_lexeme.lexeme = counted_node.lexeme
JOIN numbered_path ON numbered_path.path = counted_node.path;

-- name: lexemes
-- A row: a lexeme, its tokens and the sums of its counts.
SELECT lexeme_id, lexeme, frequency, cooccurrences, direct
FROM numbered_lexeme;

-- name: paths
-- A row: a path, its inverse, its order, and all that is counted along it.
SELECT path_id, path, inverse_id, path_order, count, direct
FROM numbered_path;

-- name: summed
-- A row: what all tasks gave of a co-occurrence, of a lexeme's tokens, or of what was said.
SELECT lexeme, path, context, cast(sum(count) AS BIGINT) AS count, cast(sum(direct) AS BIGINT) AS direct
FROM counted
GROUP BY lexeme, path, context;

-- name: said
-- A row: something that tasks said, in JSON, and how often.
SELECT context AS said, count
FROM summed
WHERE lexeme IS NULL;

-- name: counted_path
-- A row: a path in the direction that was counted, and all that is counted along it. (The statements that follow the
-- counting are in the SQL that DuckDB and Spark have in common.)
SELECT path, cast(sum(count) AS BIGINT) AS count, cast(sum(direct) AS BIGINT) AS direct
FROM summed
WHERE path IS NOT NULL
GROUP BY path;

-- name: both_ways
-- A row: a co-occurrence, in both directions of its path.
SELECT lexeme, path, context, count, direct
FROM summed
WHERE path IS NOT NULL
UNION ALL
SELECT summed.context AS lexeme, inverse.path, summed.lexeme AS context, summed.count, summed.direct
FROM summed
JOIN numbered_path ON numbered_path.path = summed.path
JOIN numbered_path AS inverse ON inverse.path_id = numbered_path.inverse_id
WHERE numbered_path.inverse_id <> numbered_path.path_id;

-- name: counted_node
-- A row: how often a lexeme meets anything along a path, and how many contexts it meets there.
SELECT lexeme, path, cast(sum(count) AS BIGINT) AS count, cast(sum(direct) AS BIGINT) AS direct,
    count(*) AS contexts
FROM both_ways
GROUP BY lexeme, path;

-- name: numbered_lexeme
-- A row: a lexeme, numbered in the order of the texts, its tokens and the sums of its counts; and the part of the
-- folder that its co-occurrences go to. All parts have about as many of these.
-- @parts@: how many parts there are.
WITH tokens AS (
    SELECT lexeme, cast(sum(count) AS BIGINT) AS frequency
    FROM summed
    WHERE path IS NULL AND lexeme IS NOT NULL
    GROUP BY lexeme
),
met AS (
    SELECT lexeme, cast(sum(count) AS BIGINT) AS cooccurrences, cast(sum(direct) AS BIGINT) AS direct,
        sum(contexts) AS contexts
    FROM counted_node
    GROUP BY lexeme
),
placed AS (
    SELECT lexeme, cooccurrences, direct, contexts, row_number() OVER (ORDER BY lexeme) AS number,
        sum(contexts) OVER (ORDER BY lexeme) AS contexts_so_far, sum(contexts) OVER () AS all_contexts
    FROM met
)
SELECT cast(placed.number AS INTEGER) AS lexeme_id, placed.lexeme, tokens.frequency, placed.cooccurrences,
    placed.direct,
    cast(floor((placed.contexts_so_far - placed.contexts) * @parts@ / placed.all_contexts) AS INTEGER) AS part
FROM placed
JOIN tokens ON tokens.lexeme = placed.lexeme;

-- name: numbered_path
-- A row: a path, numbered in the order of the texts, with its inverse, which is counted just as often, and its order.
WITH met AS (
    SELECT path, count, direct FROM counted_path
    UNION
    SELECT path_inverse(path), count, direct FROM counted_path
),
numbered AS (
    SELECT row_number() OVER (ORDER BY path)::INTEGER AS path_id, path, count, direct
    FROM met
)
SELECT numbered.path_id, numbered.path, inverse.path_id AS inverse_id,
    path_order(numbered.path)::INTEGER AS path_order, numbered.count, numbered.direct
FROM numbered
JOIN numbered AS inverse ON inverse.path = path_inverse(numbered.path)
ORDER BY numbered.path_id;

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
