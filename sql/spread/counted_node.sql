-- A row: how often a lexeme meets anything along a path, and how many contexts it meets there.
SELECT lexeme, path, cast(sum(count) AS BIGINT) AS count, count(*) AS contexts
FROM both_ways
GROUP BY lexeme, path;
