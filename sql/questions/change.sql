-- The change of a word's weights and neighbours between two subcorpora.

-- name: weights
-- A row: a weight of a lexeme in a period.
-- @period@: the number of the period.
-- @subcorpus@: the subcorpus that it is kept as.
-- @lexeme@: the lexeme.
SELECT @period@ AS period, path, context, weight
FROM ppmi(subcorpus := @subcorpus@)
WHERE lexeme = @lexeme@;

-- name: likeness
-- A row: two periods in which a lexeme has weights, by number, and how alike it is in the two: the cosine.
-- @weights@: its weights in several periods, as a subquery.
-- @first@: the number of the first period, with which each is compared, as it is with the one before.
WITH weight_then AS MATERIALIZED (SELECT weighed.* FROM @weights@ AS weighed),
size AS (SELECT period, sum(weight * weight) AS square FROM weight_then GROUP BY period),
compared AS (
    SELECT later.period, earlier.period AS other, later.square, earlier.square AS other_square
    FROM size AS later
    JOIN size AS earlier ON earlier.period < later.period AND earlier.period IN (later.period - 1, @first@)
),
met_in_both AS (
    SELECT later.period, earlier.period AS other, sum(later.weight * earlier.weight) AS shared
    FROM weight_then AS later
    JOIN weight_then AS earlier ON earlier.path = later.path AND earlier.context = later.context
    WHERE earlier.period < later.period AND earlier.period IN (later.period - 1, @first@)
    GROUP BY later.period, earlier.period
)
SELECT compared.period, compared.other,
    _store.round_similarity(_store.measured(
        'cosine', coalesce(met_in_both.shared, 0), NULL, compared.square, NULL, compared.other_square
    )) AS similarity
FROM compared
LEFT JOIN met_in_both ON met_in_both.period = compared.period AND met_in_both.other = compared.other;
