-- A row: a lexeme, numbered in the order of the texts, its tokens and the sum of its counts; and the part of the folder
-- that its co-occurrences go to. All parts have about as many of these.
-- @parts@: how many parts there are.
WITH tokens AS (
    SELECT lexeme, cast(sum(count) AS BIGINT) AS frequency
    FROM summed
    WHERE path IS NULL AND lexeme IS NOT NULL
    GROUP BY lexeme
),
met AS (
    SELECT lexeme, cast(sum(count) AS BIGINT) AS cooccurrences, sum(contexts) AS contexts
    FROM counted_node
    GROUP BY lexeme
),
placed AS (
    SELECT lexeme, cooccurrences, contexts, row_number() OVER (ORDER BY lexeme) AS number,
        sum(contexts) OVER (ORDER BY lexeme) AS contexts_so_far, sum(contexts) OVER () AS all_contexts
    FROM met
)
SELECT cast(placed.number AS INTEGER) AS lexeme_id, placed.lexeme, tokens.frequency, placed.cooccurrences,
    cast(floor((placed.contexts_so_far - placed.contexts) * @parts@ / placed.all_contexts) AS INTEGER) AS part
FROM placed
JOIN tokens ON tokens.lexeme = placed.lexeme;
