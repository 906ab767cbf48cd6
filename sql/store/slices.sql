-- A row: lexemes, from the first to the last, that have so many rows together.
-- @table@: the table of the rows.
-- @slice_rows@: how many, or so.
WITH met AS (
    SELECT lexeme_id, count(*) AS rows_met FROM _store.@table@ GROUP BY lexeme_id
),
met_so_far AS (
    SELECT lexeme_id, sum(rows_met) OVER (ORDER BY lexeme_id) AS rows_so_far
    FROM met
)
SELECT min(lexeme_id), max(lexeme_id)
FROM met_so_far
GROUP BY rows_so_far // @slice_rows@
ORDER BY 1;
