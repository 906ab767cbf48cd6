-- Drawings and plots: nodes of an APT, their contexts, shares of words, growth.

-- name: nodes
-- A row: one of the heaviest contexts at a node that is drawn, with the context's weight; NULL at a node that has none
-- and is only on the way to others. reach: the weights of all that the node leads to. The nodes that reach most are
-- drawn, so that the node before a node that is drawn is drawn too. Each APT is drawn by itself.
-- @query@: one APT or several.
-- @name@: the column by which several are told apart, their name.
-- @names@: their names.
-- @relations@: labels (amod) and steps (<obj) of which drawn paths consist, or NULL.
-- @most_steps@: how long drawn paths are at most, or NULL.
-- @own@: the nodes of a phrase's own tree, and those on the way to them, which are drawn in any case.
-- @max_nodes@: how many nodes are drawn at most, these among them.
-- @top@: how many contexts are shown at each.
WITH feature AS MATERIALIZED (SELECT @name@ AS name, path, context, weight FROM (@query@)),
own AS (SELECT name, path, sum(abs(weight)) AS weight, count(*) AS contexts FROM feature GROUP BY name, path),
-- A row: a node, by its steps.
apart AS (SELECT own.*, _store.path_steps(own.path) AS steps FROM own),
wanted AS (
    SELECT name, path, steps, weight FROM apart
    WHERE (@relations@ IS NULL OR list_bool_and(list_transform(
        steps, lambda step: list_contains(@relations@, step) OR list_contains(@relations@, step[2:])
    )) IS NOT false)
    AND (@most_steps@ IS NULL OR len(steps) <= @most_steps@)
),
-- A row: a node, or one on the way to it, for each node that it leads to.
reaching AS (
    SELECT name, unnest(list_transform(
        range(0, len(steps) + 1), lambda number: array_to_string(list_slice(steps, 1, number), '')
    )) AS path, weight
    FROM wanted
    UNION ALL
    SELECT each.name, own_node.path, 0
    FROM (SELECT unnest(@names@) AS name) AS each
    CROSS JOIN (SELECT unnest(@own@) AS path) AS own_node
),
reached AS (
    SELECT name, path, round(sum(weight), 9) AS reach, path_order(path) AS number_of_steps,
        list_contains(@own@, path) AS is_own
    FROM reaching
    GROUP BY name, path
),
node AS (
    FROM reached
    QUALIFY row_number() OVER (
        PARTITION BY name ORDER BY path <> '', NOT is_own, reach DESC, number_of_steps ASC, path ASC
    ) <= greatest(@max_nodes@, len(@own@))
),
ranked AS (
    SELECT name, path, context, weight, row_number() OVER (
        PARTITION BY name, path ORDER BY round(abs(weight), 12) DESC, context ASC
    ) AS place
    FROM feature
    SEMI JOIN node USING (name, path)
)
SELECT node.name, node.path, node.reach, coalesce(own.contexts, 0) AS contexts, ranked.context, ranked.weight
FROM node
LEFT JOIN own ON own.name = node.name AND own.path = node.path
LEFT JOIN ranked ON ranked.name = node.name AND ranked.path = node.path AND ranked.place <= @top@
ORDER BY node.name ASC, node.number_of_steps ASC, node.reach DESC, node.path ASC, ranked.place ASC;

-- name: own_nodes
-- A row: a word of a phrase, and the node where it stands in the phrase's own tree, seen from the anchor.
-- $words: the words as JSON: lexeme, delta.
-- $seen_from: the path from the anchor's word to the root's.
SELECT word.lexeme, path_offset(path_inverse(word.delta), path_inverse($seen_from)) AS path
FROM (
    SELECT unnest(from_json($words, '[{"lexeme": "VARCHAR", "delta": "VARCHAR"}]'), max_depth := 2)
) AS word;

-- name: shares
-- A row: what a word of a phrase brings to a feature that is drawn. The word's APT is moved to the phrase's root, and
-- on to where the phrase is seen from.
-- @query@: the APTs of the words, each as a phrase of its own, named by its number.
-- @back@: the path from the root's word to the anchor.
-- @divided@: whether the weights of each word are divided by their length.
-- $drawn: what is drawn, as JSON: path, context.
WITH drawn AS (
    SELECT unnest(from_json($drawn, '[{"path": "VARCHAR", "context": "VARCHAR"}]'), max_depth := 2)
),
moved AS (
    SELECT phrase::BIGINT AS position, path_offset(path, @back@) AS path, context, weight FROM (@query@)
),
size AS (
    SELECT position, CASE WHEN @divided@ THEN sqrt(fsum(weight * weight)) ELSE 1 END AS size
    FROM moved
    WHERE path IS NOT NULL
    GROUP BY position
)
SELECT moved.position, moved.path, moved.context, moved.weight / size.size AS weight
FROM moved
JOIN size ON size.position = moved.position
SEMI JOIN drawn ON drawn.path = moved.path AND drawn.context = moved.context
ORDER BY moved.position ASC, moved.path ASC, moved.context ASC;

-- name: contexts
-- A row: one of the heaviest contexts at a node, with its weight, and how many the node has.
-- @query@: the APT.
-- @back@: a path; the APT is seen from its end.
-- @top@: how many contexts are shown at each node.
-- $paths: the nodes.
WITH feature AS MATERIALIZED (SELECT path_offset(path, @back@) AS path, context, weight FROM (@query@))
SELECT path, count(*) OVER (PARTITION BY path) AS contexts, context, weight
FROM feature
WHERE list_contains($paths, path)
QUALIFY row_number() OVER (PARTITION BY path ORDER BY round(abs(weight), 12) DESC, context ASC) <= @top@
ORDER BY path ASC, round(abs(weight), 12) DESC, context ASC;

-- name: growth
-- A row: after how many tokens there were how many lexemes, in the order in which sentences were added; so many points
-- that a curve on logarithmic axes is smooth. Tokens without a lexeme do not count.
-- @points@: how many points for each e-fold of tokens.
WITH token AS (
    SELECT node.sentence_id, word.lexeme_id
    FROM _store.stored_node AS node
    JOIN _store.word ON word.id = node.word_id
    WHERE word.lexeme_id IS NOT NULL
),
of_sentence AS (SELECT sentence_id, count(*) AS tokens FROM token GROUP BY sentence_id),
first_seen AS (SELECT lexeme_id, min(sentence_id) AS sentence_id FROM token GROUP BY lexeme_id),
new_in_sentence AS (SELECT sentence_id, count(*) AS lexemes FROM first_seen GROUP BY sentence_id),
so_far AS (
    SELECT sum(of_sentence.tokens) OVER in_order AS tokens,
        sum(coalesce(new_in_sentence.lexemes, 0)) OVER in_order AS lexemes
    FROM of_sentence
    LEFT JOIN new_in_sentence ON new_in_sentence.sentence_id = of_sentence.sentence_id
    WINDOW in_order AS (ORDER BY of_sentence.sentence_id ASC)
)
SELECT max(tokens)::BIGINT AS tokens, max(lexemes)::BIGINT AS lexemes
FROM so_far
GROUP BY floor(ln(tokens) * @points@)
ORDER BY tokens ASC;
