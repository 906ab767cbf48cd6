-- A row: a feature of the APT of a lexeme, with its count; NULL where it is not counted.
-- @query@: the APT, in order.
-- @lexeme@: the lexeme.
-- @part@: the part of the corpora, or NULL.
WITH met AS MATERIALIZED (
    SELECT path, context, count FROM cooccurrences(part := @part@) WHERE lexeme = @lexeme@
)
SELECT feature.* EXCLUDE (place), met.count
FROM (SELECT *, row_number() OVER () AS place FROM (@query@)) AS feature
LEFT JOIN met ON met.path = feature.path AND met.context = feature.context
ORDER BY feature.place ASC;
