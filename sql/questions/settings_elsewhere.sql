-- A row: a setting with which another lexicon counted otherwise than this one, and its values here and there.
-- @other@: the other lexicon's view of its settings.
SELECT here.setting, here.value, there.value AS elsewhere
FROM settings AS here
JOIN @other@ AS there ON there.setting = here.setting
WHERE here.setting NOT IN ('created_at', 'version', 'schema') AND here.value IS DISTINCT FROM there.value
ORDER BY here.setting ASC;
