-- The same with one row for each co-occurrence: all that was counted of it, summed.
CREATE OR REPLACE TEMP TABLE counted AS
SELECT lexeme_id, path_id, context_id, sum(count)::BIGINT AS count
FROM counted
GROUP BY lexeme_id, path_id, context_id;
