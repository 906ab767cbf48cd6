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
