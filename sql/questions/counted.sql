-- Counts beside weights and similarities.

-- name: neighbours
-- A row: a neighbour, with its frequency; NULL for an entry.
-- @query@: the neighbours, in order.
-- @subcorpus@: the subcorpus, or NULL.
SELECT near.* EXCLUDE (place), known.frequency
FROM (SELECT *, row_number() OVER () AS place FROM (@query@)) AS near
LEFT JOIN _store.lexeme_in(@subcorpus@) AS known ON known.text = near.lexeme
ORDER BY near.place ASC;

-- name: apt
-- A row: a feature of the APT of a lexeme, with its count and its direct count; NULL where it is not counted.
-- @query@: the APT, in order.
-- @lexeme@: the lexeme.
-- @subcorpus@: the subcorpus, or NULL.
WITH met AS MATERIALIZED (
    SELECT path, context, count, direct FROM cooccurrences(subcorpus := @subcorpus@) WHERE lexeme = @lexeme@
)
SELECT feature.* EXCLUDE (place), met.count, met.direct
FROM (SELECT *, row_number() OVER () AS place FROM (@query@)) AS feature
LEFT JOIN met ON met.path = feature.path AND met.context = feature.context
ORDER BY feature.place ASC;

-- name: diff
-- A row: a feature of a difference of two lexemes, with its counts and direct counts; NULL where it is not counted.
-- @query@: the difference, in order.
-- @a@: the first lexeme.
-- @b@: the second.
-- @subcorpus@: the subcorpus that the first is asked of, or NULL.
-- @subcorpus_b@: that of the second.
WITH met_by_a AS MATERIALIZED (
    SELECT path, context, count, direct FROM cooccurrences(subcorpus := @subcorpus@) WHERE lexeme = @a@
),
met_by_b AS MATERIALIZED (
    SELECT path, context, count, direct FROM cooccurrences(subcorpus := @subcorpus_b@) WHERE lexeme = @b@
)
SELECT feature.* EXCLUDE (place), met_by_a.count AS count_a, met_by_b.count AS count_b,
    met_by_a.direct AS direct_a, met_by_b.direct AS direct_b
FROM (SELECT *, row_number() OVER () AS place FROM (@query@)) AS feature
LEFT JOIN met_by_a ON met_by_a.path = feature.path AND met_by_a.context = feature.context
LEFT JOIN met_by_b ON met_by_b.path = feature.path AND met_by_b.context = feature.context
ORDER BY feature.place ASC;

-- name: key_items
-- One row: how many items a comparison has, and how often the most frequent occurs in both together.
-- @query@: the comparison.
SELECT count(*) AS items, max(count_a + count_b)::BIGINT AS most FROM @query@;
