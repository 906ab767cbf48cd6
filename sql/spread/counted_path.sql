-- A row: a path in the direction that was counted, and all that is counted along it. (The statements that follow the
-- counting are in the SQL that DuckDB and Spark have in common.)
SELECT path, cast(sum(count) AS BIGINT) AS count
FROM summed
WHERE path IS NOT NULL
GROUP BY path;
