-- A row: lexemes whose co-occurrences are written at once, from the first to the last: so many that they have
-- slice_rows rows or so, before and after together.
WITH met AS (
    SELECT lexeme_id, count(*) AS rows_met FROM _store.cooccurrence GROUP BY lexeme_id
    UNION ALL
    SELECT lexeme_id, count(*) FROM added GROUP BY lexeme_id
),
met_so_far AS (
    SELECT lexeme_id, sum(sum(rows_met)) OVER (ORDER BY lexeme_id) AS rows_so_far
    FROM met
    GROUP BY lexeme_id
)
SELECT min(lexeme_id), max(lexeme_id)
FROM met_so_far
GROUP BY rows_so_far // getvariable('slice_rows')
ORDER BY 1;
