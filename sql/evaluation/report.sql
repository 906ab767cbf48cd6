-- The report of a lexicon.

-- name: frequencies
-- A row: a rank and the frequency of the lexeme that has it, the most frequent first. Of high ranks only some, evenly
-- spaced on a logarithmic scale, are rows: a curve needs no more.
WITH ranked AS (
    SELECT frequency, row_number() OVER (ORDER BY frequency DESC, lexeme) AS rank
    FROM lexemes
)
SELECT rank, max(frequency) AS frequency
FROM ranked
WHERE rank <= 20 OR floor(40 * log10(rank)) > floor(40 * log10(rank - 1)) OR rank = (SELECT max(rank) FROM ranked)
GROUP BY rank
ORDER BY rank;

-- name: counts
-- A row: a count, and how many co-occurrences of the lexicon are counted at least so often. Of high counts only some,
-- as in frequencies.
WITH counted AS (SELECT count, count(*) AS cooccurrences FROM _store.cooccurrence GROUP BY count),
at_least AS (SELECT count, sum(cooccurrences) OVER (ORDER BY count DESC) AS cooccurrences FROM counted)
SELECT min(count) AS count, max(cooccurrences)::BIGINT AS cooccurrences
FROM at_least
GROUP BY CASE WHEN count <= 20 THEN count ELSE 20 + floor(40 * log10(count)) END
ORDER BY count;

-- name: parts_of_speech
-- A row: a part of speech, with its lexemes, their tokens, and its three most frequent ones.
SELECT pos AS "part of speech", count(*) AS lexemes, sum(frequency)::BIGINT AS tokens,
    array_to_string(list(lexeme ORDER BY frequency DESC, lexeme)[:3], ', ') AS "most frequent"
FROM lexemes
GROUP BY pos
ORDER BY tokens DESC, pos
LIMIT 30;

-- name: orders
-- A row: an order, with its paths, the co-occurrences along them, and the sum of their counts.
SELECT path.path_order AS "order", count(*) AS paths, sum(along.cooccurrences)::BIGINT AS "co-occurrences",
    sum(path.count)::BIGINT AS "sum of counts"
FROM _store.path
JOIN (
    SELECT path_id, count(*) AS cooccurrences FROM _store.cooccurrence GROUP BY path_id
) AS along ON along.path_id = path.id
GROUP BY path.path_order
ORDER BY path.path_order;

-- name: paths
-- A row: one of the paths that most is met along, and what is: how often, how many co-occurrences, and the most
-- frequent one. Of a path and its inverse, along which the same is met the other way, only one is a row.
SELECT path.text AS path, path.count AS "sum of counts", along.cooccurrences AS "co-occurrences",
    lexeme.text || ' – ' || context.text AS "most frequent"
FROM _store.path
JOIN (
    SELECT path_id, count(*) AS cooccurrences,
        max_by({'lexeme_id': lexeme_id, 'context_id': context_id}, (count, -lexeme_id, -context_id)) AS top
    FROM _store.cooccurrence
    GROUP BY path_id
) AS along ON along.path_id = path.id
JOIN _store.lexeme ON lexeme.id = along.top.lexeme_id
JOIN _store.lexeme AS context ON context.id = along.top.context_id
JOIN _store.path AS inverse ON inverse.id = path.inverse_id AND inverse.text >= path.text
ORDER BY path.count DESC, path.text
LIMIT 20;

-- name: examples
-- A row: an example word: the most frequent lexeme, of letters alone, of one of the three parts of speech that have
-- most lexemes which are not rare.
WITH word AS (
    SELECT lexeme, lemma, pos, frequency
    FROM lexemes
    WHERE frequency >= _store.default_min_frequency(NULL) AND regexp_full_match(lemma, '\p{L}[\p{L}''_-]+')
),
open_class AS (SELECT pos FROM word GROUP BY pos ORDER BY count(*) DESC, pos ASC LIMIT 3)
SELECT arg_max(word.lexeme, (word.frequency, word.lexeme)) AS lexeme
FROM word
JOIN open_class ON open_class.pos IS NOT DISTINCT FROM word.pos
GROUP BY word.pos
ORDER BY count(*) DESC, word.pos ASC;

-- name: sketch
-- A row: a relation of a lexeme, as a path of one step, the most frequent first: how often the lexeme has it, and the
-- contexts that are most typical there, by logDice. Relations of function words are left out.
WITH weighed AS (
    SELECT path, context, weight, row_number() OVER (PARTITION BY path ORDER BY weight DESC, context ASC) AS place
    FROM apt($lexeme, weights := 'log_dice', max_order := 1, min_count := $min_count)
    WHERE path <> '' AND NOT regexp_matches(path, '^[<>](punct|det|case|cc|mark|aux|auxpass|cop|expl)(:|$)')
),
counted AS (
    SELECT path.text AS path, node.count
    FROM _store.node
    JOIN _store.lexeme ON lexeme.id = node.lexeme_id
    JOIN _store.path ON path.id = node.path_id
    WHERE lexeme.text = $lexeme
)
SELECT weighed.path, any_value(counted.count) AS count,
    string_agg(weighed.context, ', ' ORDER BY weighed.place) AS "most typical"
FROM weighed
JOIN counted ON counted.path = weighed.path
WHERE weighed.place <= 8
GROUP BY weighed.path
ORDER BY count DESC, weighed.path ASC
LIMIT 10;

-- name: evaluations
-- A row: a part of a past evaluation, the oldest first: what it was made with (question, as JSON), and its results.
SELECT dataset, sha256, part, method, "merge", weights, question, rho, low, high, items, missing, empty, tokens,
    evaluated_at
FROM _store.evaluation
ORDER BY id;
