-- A row: what all tasks gave of a co-occurrence, of a lexeme's tokens, or of what was said.
SELECT lexeme, path, context, cast(sum(count) AS BIGINT) AS count
FROM counted
GROUP BY lexeme, path, context;
