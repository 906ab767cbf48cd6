-- A row: an evaluation whose numbers cannot be, or that says of no content what it was made with.
SELECT 'evaluation' AS what, concat_ws(' ', 'number', id, 'on', dataset, part) AS row,
    concat_ws(
        ', ', 'rho ' || coalesce(rho::VARCHAR, undefined, 'NULL'), low || ' to ' || high,
        items || ' items, ' || missing || ' missing, ' || empty || ' empty', tokens || ' tokens', 'content ' || content
    ) AS found,
    'rho from -1 to 1, or why there is none; numbers from 0; a digest of the content' AS expected
FROM _store.evaluation
WHERE (rho IS NULL) = (undefined IS NULL) OR abs(rho) > 1 + 1e-9 OR abs(low) > 1 + 1e-9 OR abs(high) > 1 + 1e-9
    OR low > high OR (low IS NULL) <> (high IS NULL) OR least(items, missing, empty, tokens) < 0
    OR NOT regexp_full_match(content, '[0-9a-f]{32}');
