-- A row: what a lexicon says of itself that cannot be so.
SELECT 'settings' AS what, 'uid' AS row, uid AS found, 'a UUID' AS expected
FROM _store.settings
WHERE NOT regexp_full_match(uid, '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')
UNION ALL
SELECT 'settings', 'runs', runs::VARCHAR, '0 or more'
FROM _store.settings
WHERE runs < 0
UNION ALL
SELECT 'settings', 'schema', count(*) || ' rows', '1 row'
FROM _store.alembic_version
HAVING count(*) <> 1;
