-- PACK and COUNT, FOLD, FILL or BRING: trees become packed nodes, node pairs, counts and marginals.

-- name: packed
-- A row: a node of a tree, by its token, and the packed node that it belongs to (meaning.md 3.4): the nodes of one tree
-- whose relations from the root down are the same. A packed node is named by its first token. Each turn of the
-- recursion is one level of all the trees.
CREATE OR REPLACE TEMP TABLE packed AS
WITH RECURSIVE packed (token, word_id, node, parent_node, label_id) AS (
    SELECT number, word_id, number, NULL::INTEGER, NULL::INTEGER
    FROM node
    WHERE head_number IS NULL
    UNION ALL
    (
        WITH child AS (
            SELECT node.number, node.word_id, packed.node AS parent_node, node.label_id
            FROM packed
            JOIN node ON node.head_number = packed.token
        ),
        first_child AS (
            SELECT parent_node, label_id, min(number) AS node
            FROM child
            GROUP BY parent_node, label_id
        )
        SELECT child.number, child.word_id, first_child.node, child.parent_node, child.label_id
        FROM child
        JOIN first_child USING (parent_node, label_id)
    )
)
SELECT token, word_id, node, parent_node, label_id
FROM packed;

-- name: node_lexeme
-- A row: how many tokens of a lexeme a packed node holds. Tokens that are left out are no row, and their node stays.
CREATE OR REPLACE TEMP TABLE node_lexeme AS
SELECT packed.node, word.lexeme_id, count(*)::INTEGER AS tokens
FROM packed
JOIN _store.word ON word.id = packed.word_id
WHERE word.lexeme_id IS NOT NULL
GROUP BY packed.node, word.lexeme_id;

-- name: shared_node
-- A row: a packed node that holds several tokens of its tree. Only below such nodes are packed pairs no direct ones.
CREATE OR REPLACE TEMP TABLE shared_node AS
SELECT DISTINCT node
FROM packed
WHERE token <> node;

-- name: token_way
-- A row: a token, a token at most max_order steps above it (top) that shares its packed node with others (ancestor),
-- and the labels walked, as ancestor has them; lexeme_id: NULL where the token is left out. Unlike packed nodes, tokens
-- have one head. Here those one step below the top; see descend.
-- @wide@: an integer type that holds max_order labels.
CREATE OR REPLACE TEMP TABLE token_way AS
SELECT node.number AS token, word.lexeme_id, head.token AS top, head.node AS ancestor, 1 AS height,
    node.label_id AS last_label, node.label_id::@wide@ AS labels, getvariable('base')::@wide@ AS place
FROM packed AS head
SEMI JOIN shared_node ON shared_node.node = head.node
JOIN node ON node.head_number = head.token
JOIN _store.word ON word.id = node.word_id
WHERE getvariable('max_order') >= 1;

-- name: descend
-- Adds the tokens one step below those at a height.
-- @height@: how many steps these are below the top.
INSERT INTO token_way
SELECT node.number, word.lexeme_id, above.top, above.ancestor, above.height + 1, above.last_label,
    node.label_id * above.place + above.labels, above.place * getvariable('base')
FROM token_way AS above
JOIN node ON node.head_number = above.token
JOIN _store.word ON word.id = node.word_id
WHERE above.height = @height@;

-- name: count_lexemes
-- Adds a row for each lexeme of the chunk.
INSERT INTO _store.counted_lexeme
SELECT lexeme_id, sum(tokens) FROM node_lexeme GROUP BY lexeme_id;

-- name: lexeme_pair
-- A row: two lexemes in packed nodes at most max_order steps apart, in how many pairs of tokens, and the way from x to
-- y: the labels up from x to the node where the two meet, and those up from y to it; is_shared: whether that node holds
-- several tokens. Only one of the two directions is a row (is_one_way); the other is its mirror image. Both meet at a
-- node from first_node to last_node.
CREATE OR REPLACE TEMP TABLE lexeme_pair AS
SELECT ancestor.lexeme_id AS x, own.lexeme_id AS y, ancestor.tokens::BIGINT * own.tokens AS pairs,
    ancestor.labels AS up, 0 AS down, ancestor.is_shared
FROM ancestor
JOIN node_lexeme AS own ON own.node = ancestor.ancestor
WHERE ancestor.ancestor BETWEEN getvariable('first_node') AND getvariable('last_node')
UNION ALL
SELECT long.lexeme_id, short.lexeme_id, long.tokens::BIGINT * short.tokens, long.labels, short.labels, long.is_shared
FROM ancestor AS long
JOIN ancestor AS short ON short.ancestor = long.ancestor
WHERE long.ancestor BETWEEN getvariable('first_node') AND getvariable('last_node')
    AND long.height < getvariable('max_order')
    AND short.height <= getvariable('max_order') // 2
    AND is_one_way(long.height, long.last_label, short.height, short.last_label);

-- name: direct_pair
-- A row: two tokens at most max_order steps apart in the tree itself, which meet at a token that shares its packed node
-- with others, by their lexemes, and the way from x to y as lexeme_pair has it.
CREATE OR REPLACE TEMP TABLE direct_pair AS
WITH way AS (
    SELECT lexeme_id, top, height, last_label, labels
    FROM token_way
    WHERE lexeme_id IS NOT NULL AND ancestor BETWEEN getvariable('first_node') AND getvariable('last_node')
)
SELECT way.lexeme_id AS x, word.lexeme_id AS y, way.labels AS up, 0 AS down
FROM way
JOIN packed ON packed.token = way.top
JOIN _store.word ON word.id = packed.word_id
WHERE word.lexeme_id IS NOT NULL
UNION ALL
SELECT long.lexeme_id, short.lexeme_id, long.labels, short.labels
FROM way AS long
JOIN way AS short ON short.top = long.top
WHERE long.height < getvariable('max_order')
    AND short.height <= getvariable('max_order') // 2
    AND is_one_way(long.height, long.last_label, short.height, short.last_label);

-- name: path_code
-- A row: a way that pairs of lexemes take, numbered, with its text as a path and that of its inverse.
CREATE OR REPLACE TEMP TABLE path_code AS
WITH RECURSIVE code AS (SELECT DISTINCT up, down FROM lexeme_pair),
-- A row: what is left of a way up when its last steps have been read off, and the two texts of those read.
reading (labels, rest, ups, downs) AS (
    SELECT labels, labels, '', ''
    FROM (SELECT up AS labels FROM code UNION SELECT down FROM code)
    UNION ALL
    SELECT reading.labels, reading.rest // getvariable('base'), '<' || label.text || reading.ups,
        reading.downs || '>' || label.text
    FROM reading
    JOIN label ON label.id = reading.rest % getvariable('base')
    WHERE reading.rest > 0
),
way AS (SELECT labels, ups, downs FROM reading WHERE rest = 0)
SELECT code.up, code.down, up_way.ups || down_way.downs AS path, down_way.ups || up_way.downs AS inverse
FROM code
JOIN way AS up_way ON up_way.labels = code.up
JOIN way AS down_way ON down_way.labels = code.down;

-- name: add_paths
-- Adds a row for each path that the lexicon has not met. A path and its inverse always come together.
INSERT INTO _store.path (id, text, path_order, inverse_id, count, merged)
WITH met AS (
    SELECT path AS text, inverse FROM path_code
    UNION
    SELECT inverse, path FROM path_code
    UNION
    SELECT '', ''
),
numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY text) AS id, text, inverse
    FROM met
    ANTI JOIN _store.path ON path.text = met.text
)
SELECT numbered.id, numbered.text, len(regexp_extract_all(numbered.text, '[<>]')), inverse.id, 0, 0
FROM numbered
JOIN numbered AS inverse ON inverse.text = numbered.inverse;

-- name: count_pairs
-- Adds a row for each lexeme, path and context that two packed nodes hold, with the pairs of tokens that they are, for
-- one direction of each path; and for ε, where only a token and itself are direct. merged: how many of the pairs are
-- not direct; below shared nodes all, less the direct pairs, which are rows of their own. Most are met but once in a
-- chunk, so that they are summed over many (fold_counted); those of ε in nodes of one token are met most often.
INSERT INTO _store.counted (lexeme_id, path_id, context_id, count, merged)
WITH coded AS (
    SELECT path_code.up, path_code.down, path.id AS path_id
    FROM path_code
    JOIN _store.path ON path.text = path_code.path
),
empty_path AS (SELECT id FROM _store.path WHERE text = ''),
-- A row: how many tokens of a lexeme a packed node holds that lies in the range.
own AS (
    SELECT node, lexeme_id, tokens
    FROM node_lexeme
    WHERE node BETWEEN getvariable('first_node') AND getvariable('last_node')
)
SELECT lexeme_pair.x, coded.path_id, lexeme_pair.y, lexeme_pair.pairs,
    CASE WHEN lexeme_pair.is_shared THEN lexeme_pair.pairs ELSE 0 END
FROM lexeme_pair
JOIN coded ON coded.up = lexeme_pair.up AND coded.down = lexeme_pair.down
UNION ALL
SELECT direct_pair.x, coded.path_id, direct_pair.y, 0, -1
FROM direct_pair
JOIN coded ON coded.up = direct_pair.up AND coded.down = direct_pair.down
UNION ALL
SELECT own.lexeme_id, (FROM empty_path), other.lexeme_id, own.tokens::BIGINT * other.tokens,
    own.tokens::BIGINT * other.tokens - CASE WHEN own.lexeme_id = other.lexeme_id THEN own.tokens ELSE 0 END
FROM own
SEMI JOIN shared_node ON shared_node.node = own.node
JOIN own AS other ON other.node = own.node
UNION ALL
SELECT own.lexeme_id, (FROM empty_path), own.lexeme_id, count(*), 0
FROM own
ANTI JOIN shared_node ON shared_node.node = own.node
GROUP BY own.lexeme_id;

-- name: folded
-- A row: what counted has of a co-occurrence, summed. Empty at first.
CREATE OR REPLACE TABLE _store.folded (
    lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT, merged BIGINT
);

-- name: fold_counted
-- The same with one row for each co-occurrence: all that was counted of it, summed.
DROP TABLE _store.counted;

ALTER TABLE _store.folded RENAME TO counted;

-- name: gained
-- A row: the same as in added. It is read several times; where it is small, a table takes less than joining its paths
-- each time.
CREATE OR REPLACE TEMP TABLE gained AS
FROM added;

-- name: insert_cooccurrences
-- Fills the counts of a lexicon that has none, in the order that makes them their own index.
INSERT INTO _store.cooccurrence (lexeme_id, path_id, context_id, count, merged)
SELECT lexeme_id, path_id, context_id, count, merged
FROM gained
ORDER BY lexeme_id, path_id, context_id;

-- name: merge_cooccurrences
-- Adds what was counted to the counts. Rows that change are deleted, and follow with the new ones in order, as a run of
-- their own: an update would write the whole column again.

-- A row: a co-occurrence that the lexicon has and that was counted again, its stored row, and what its counts become.
-- Most rows have another lexeme or context, which one column shows sooner than three: so it takes a third of the time.
CREATE OR REPLACE TEMP TABLE recounted AS
WITH met AS MATERIALIZED (SELECT DISTINCT lexeme_id AS id FROM gained),
stored AS (
    SELECT rowid AS stored_row, lexeme_id, path_id, context_id, count, merged
    FROM _store.cooccurrence
    SEMI JOIN met ON met.id = lexeme_id
    SEMI JOIN met AS other ON other.id = context_id
)
SELECT stored.stored_row, gained.lexeme_id, gained.path_id, gained.context_id, stored.count + gained.count AS count,
    stored.merged + gained.merged AS merged
FROM gained
JOIN stored USING (lexeme_id, path_id, context_id);

DELETE FROM _store.cooccurrence WHERE rowid IN (SELECT stored_row FROM recounted);

INSERT INTO _store.cooccurrence (lexeme_id, path_id, context_id, count, merged)
SELECT lexeme_id, path_id, context_id, coalesce(recounted.count, gained.count),
    coalesce(recounted.merged, gained.merged)
FROM gained
LEFT JOIN recounted USING (lexeme_id, path_id, context_id)
WHERE recounted.count IS DISTINCT FROM 0
ORDER BY lexeme_id, path_id, context_id;

-- name: merge_nodes
-- Adds what was counted to the marginals: how often a lexeme meets anything along a path. A new node is numbered on.
-- Rows that change are deleted and inserted, as above.

-- A row: a node that was counted, its stored row and id if the lexicon has it, and what its counts become.
CREATE OR REPLACE TEMP TABLE recounted AS
WITH counted AS (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged
    FROM gained
    GROUP BY lexeme_id, path_id
),
stored AS (
    SELECT rowid AS stored_row, id, lexeme_id, path_id, count, merged
    FROM _store.node
    SEMI JOIN gained USING (lexeme_id)
)
SELECT stored.stored_row, stored.id, counted.lexeme_id, counted.path_id,
    coalesce(stored.count, 0) + counted.count AS count, coalesce(stored.merged, 0) + counted.merged AS merged
FROM counted
LEFT JOIN stored USING (lexeme_id, path_id);

SET VARIABLE last_node = (SELECT coalesce(max(id), 0) FROM _store.node);

DELETE FROM _store.node WHERE rowid IN (SELECT stored_row FROM recounted);

INSERT INTO _store.node (id, lexeme_id, path_id, count, merged)
SELECT coalesce(
        id, getvariable('last_node') + row_number() OVER (PARTITION BY id IS NULL ORDER BY lexeme_id, path_id)
    ), lexeme_id, path_id, count, merged
FROM recounted
WHERE id IS NULL OR count <> 0
ORDER BY lexeme_id, path_id;

DROP TABLE recounted;

-- name: change_by_added
-- A row: a lexeme that was counted, and what its co-occurrences gain or lose.
CREATE OR REPLACE TEMP VIEW lexeme_change AS
SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences, sum(merged)::BIGINT AS merged
FROM gained
GROUP BY lexeme_id;

-- A row: a path that was counted, and what it gains or loses.
CREATE OR REPLACE TEMP VIEW path_change AS
SELECT path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged
FROM gained
GROUP BY path_id;

-- name: change_by_nodes
-- The same of all lexemes and paths, where the marginals have been written again: what these sum up to, less what was.
CREATE OR REPLACE TEMP VIEW lexeme_change AS
WITH met AS (
    SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences, sum(merged)::BIGINT AS merged
    FROM _store.node
    GROUP BY lexeme_id
)
SELECT lexeme.id AS lexeme_id, coalesce(met.cooccurrences, 0) - lexeme.cooccurrences AS cooccurrences,
    coalesce(met.merged, 0) - lexeme.merged AS merged
FROM _store.lexeme
LEFT JOIN met ON met.lexeme_id = lexeme.id;

CREATE OR REPLACE TEMP VIEW path_change AS
WITH met AS (
    SELECT path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged FROM _store.node GROUP BY path_id
)
SELECT path.id AS path_id, coalesce(met.count, 0) - path.count AS count, coalesce(met.merged, 0) - path.merged AS merged
FROM _store.path
LEFT JOIN met ON met.path_id = path.id;

-- name: merge_lexemes
-- Adds what was counted to each lexeme's tokens and to the number of its co-occurrences.

-- A row: a lexeme that was counted, and what it gains or loses. A table, because DuckDB knows how many rows it has, and
-- so reads the lexemes in their order; updates in another order take up to twenty times as long.
CREATE OR REPLACE TEMP TABLE lexeme_gain AS
WITH tokens AS (
    SELECT lexeme_id, getvariable('sign') * sum(tokens)::BIGINT AS frequency FROM counted_lexeme GROUP BY lexeme_id
)
SELECT lexeme_id, tokens.frequency, change.cooccurrences, change.merged
FROM lexeme_change AS change
JOIN tokens USING (lexeme_id);

MERGE INTO _store.lexeme
USING lexeme_gain AS added ON lexeme.id = added.lexeme_id
WHEN MATCHED THEN UPDATE SET
    frequency = lexeme.frequency + added.frequency, cooccurrences = lexeme.cooccurrences + added.cooccurrences,
    merged = lexeme.merged + added.merged;

DROP TABLE lexeme_gain;

-- Takes away the lexemes that nothing is left of (as a branch of the MERGE this would take twenty times as long).
DELETE FROM _store.lexeme WHERE frequency = 0 AND cooccurrences = 0;

-- name: merge_paths
-- Adds what was counted to the totals of the paths.
MERGE INTO _store.path
USING path_change AS added ON path.id = added.path_id
WHEN MATCHED THEN UPDATE SET count = path.count + added.count, merged = path.merged + added.merged;

-- Takes away the paths that nothing is counted along: those of what was removed, and ε where no word is counted.
DELETE FROM _store.path WHERE count = 0;

-- name: forget_gained
-- Drops the copy of added.
DROP TABLE IF EXISTS gained;

-- name: counted
-- A row: what packed nodes of a chunk, or chunks before, add to the count of a co-occurrence, in one direction of its
-- path, and how much of that is merged; any number of rows for one co-occurrence. Empty before the first chunk.
CREATE OR REPLACE TABLE _store.counted (
    lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT, merged BIGINT
);

-- A row: how many tokens of a lexeme a chunk holds.
CREATE OR REPLACE TABLE _store.counted_lexeme (
    lexeme_id INTEGER, tokens BIGINT
);

-- name: parts
-- A row: sentences of the chunk that are counted at once, by the first and last of their words. Most chunks are one
-- part; in one with long sentences each statement would take minutes, and more memory than there is.
-- @pairs@: how many pairs of words a part has, or so.
SELECT min(first), max(last)
FROM (
    SELECT first, last, sum((last - first + 1)::BIGINT * (last - first + 1)) OVER (ORDER BY first) AS pairs_so_far
    FROM sentence_span
)
GROUP BY pairs_so_far // @pairs@
ORDER BY 1;

-- name: fold_range
-- Adds a row for each co-occurrence of some lexemes: all that was counted of it, summed.
-- @first@: the first of the lexemes, by id.
-- @last@: the last of them.
INSERT INTO _store.folded (lexeme_id, path_id, context_id, count, merged)
SELECT lexeme_id, path_id, context_id, sum(count)::BIGINT, sum(merged)::BIGINT
FROM _store.counted
WHERE lexeme_id BETWEEN @first@ AND @last@
GROUP BY lexeme_id, path_id, context_id;

-- name: is_one_way
-- Whether a pair of ways that meet is counted: not too long, not the same label last, which would cancel, and in the
-- one of two directions that climbs further or, where both climb alike, ends on the lesser label.
CREATE OR REPLACE TEMP MACRO is_one_way(height, label, other_height, other_label) AS
    height + other_height <= getvariable('max_order')
    AND CASE
        WHEN height = other_height THEN label < other_label
        ELSE height > other_height AND label <> other_label
    END;

-- name: edge
-- A row: a packed node, its parent, and the label between them; is_shared: whether the parent holds several tokens.
CREATE OR REPLACE TEMP TABLE edge AS
SELECT node, parent_node, label_id, parent_node IN (FROM shared_node) AS is_shared
FROM packed
WHERE token = node AND parent_node IS NOT NULL;

-- name: ancestor
-- A row: a lexeme of a packed node and how many tokens of it the node holds, an ancestor of the node at most max_order
-- steps above it, and the labels walked: the last of them, and all as the digits of one number, the first step highest;
-- is_shared: whether the ancestor holds several tokens. Here those one step above; see climb.
-- @wide@: an integer type that holds max_order labels.
CREATE OR REPLACE TEMP TABLE ancestor AS
SELECT own.lexeme_id, own.tokens, edge.parent_node AS ancestor, 1 AS height, edge.label_id AS last_label,
    edge.label_id::@wide@ AS labels, edge.is_shared
FROM edge
JOIN node_lexeme AS own ON own.node = edge.node
WHERE getvariable('max_order') >= 1;

-- name: climb
-- Adds the ancestors one step above those at a height. (A recursion would do so on one processor.)
-- @height@: how many steps these are above the node.
INSERT INTO ancestor
SELECT below.lexeme_id, below.tokens, edge.parent_node, below.height + 1, edge.label_id,
    below.labels * getvariable('base') + edge.label_id, edge.is_shared
FROM ancestor AS below
JOIN edge ON edge.node = below.ancestor
WHERE below.height = @height@;

-- name: sizes
-- One row: how many co-occurrences the lexicon has, and how many of them gain or lose.
SELECT (SELECT count(*) FROM _store.cooccurrence) AS there, (SELECT count(*) FROM added) AS gained;

-- name: slices
-- A row: lexemes whose co-occurrences are written at once, from the first to the last: so many that they have
-- slice_rows rows or so, before and after together.
WITH met AS (
    SELECT lexeme_id, count(*) AS rows_met FROM _store.cooccurrence GROUP BY lexeme_id
    UNION ALL
    SELECT lexeme_id, count(*) FROM added GROUP BY lexeme_id
),
met_so_far AS (
    SELECT lexeme_id, sum(sum(rows_met)) OVER (ORDER BY lexeme_id) AS rows_so_far
    FROM met
    GROUP BY lexeme_id
)
SELECT min(lexeme_id), max(lexeme_id)
FROM met_so_far
GROUP BY rows_so_far // getvariable('slice_rows')
ORDER BY 1;

-- name: first_slice
-- A row: a co-occurrence of a slice, the lexemes from first_lexeme to last_lexeme, in the order that makes the counts
-- their own index; for a lexicon that has none yet.
CREATE OR REPLACE TEMP VIEW cooccurrence_of_slice AS
SELECT lexeme_id, path_id, context_id, count, merged
FROM added
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
ORDER BY lexeme_id, path_id, context_id;

-- name: next_slice
-- The same for a lexicon that has counts, as they will be.
CREATE OR REPLACE TEMP VIEW cooccurrence_of_slice AS
WITH before AS (
    SELECT lexeme_id, path_id, context_id, count, merged
    FROM _store.cooccurrence
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
gained AS (
    SELECT lexeme_id, path_id, context_id, count, merged
    FROM added
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
),
summed AS (
    SELECT lexeme_id, path_id, context_id, coalesce(before.count, 0) + coalesce(gained.count, 0) AS count,
        coalesce(before.merged, 0) + coalesce(gained.merged, 0) AS merged
    FROM before
    FULL JOIN gained USING (lexeme_id, path_id, context_id)
)
SELECT lexeme_id, path_id, context_id, count, merged
FROM summed
WHERE count <> 0
ORDER BY lexeme_id, path_id, context_id;

-- name: nodes_of_slice
-- A row: a node of the slice whose co-occurrences are written. All nodes are numbered anew, on from last_node: what is
-- kept of the old numbers is stale. (They are numbered in the order of the subquery, so that they are sorted once.)
CREATE OR REPLACE TEMP VIEW node_of_slice AS
SELECT (getvariable('last_node') + row_number() OVER ())::INTEGER AS id, lexeme_id, path_id, count, merged
FROM (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged
    FROM _store.cooccurrence_again
    WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
    GROUP BY lexeme_id, path_id
    ORDER BY lexeme_id, path_id
);
