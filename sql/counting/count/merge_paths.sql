-- Adds what was counted to the totals of the paths.
MERGE INTO _store.path
USING (SELECT path_id, sum(count)::BIGINT AS count FROM added GROUP BY path_id) AS added
ON path.id = added.path_id
WHEN MATCHED THEN UPDATE SET count = path.count + added.count;

-- Takes away the paths that nothing is counted along: those between words that are left out, and those of what was
-- removed.
DELETE FROM _store.path WHERE count = 0;
