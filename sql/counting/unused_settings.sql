-- A row: a name in a setting of this lexicon that nothing in its text has, and what there is, the most frequent first.
WITH named AS (
    SELECT 'join' AS setting, unnest(from_json(joined_relations, '["VARCHAR"]')) AS name, 'relation' AS kind
    FROM _store.settings
    UNION ALL
    SELECT 'exclude_relations', unnest(from_json(exclude_relations, '["VARCHAR"]')), 'relation' FROM _store.settings
    UNION ALL
    SELECT 'relation_map', unnest(json_keys(relation_map)), 'old relation' FROM _store.settings
    UNION ALL
    SELECT 'exclude_upos', unnest(from_json(exclude_upos, '["VARCHAR"]')), 'part of speech' FROM _store.settings
    UNION ALL
    SELECT 'pos_map', unnest(json_keys(pos_map)), 'old part of speech' FROM _store.settings
),
-- A row: a relation as files write it, without its subtype where subtypes are not counted, and its new name.
relation AS (
    SELECT relation.id, short.text AS old,
        coalesce(json_extract_string(settings.relation_map, '$."' || short.text || '"'), short.text) AS new
    FROM _store.relation
    CROSS JOIN _store.settings
    CROSS JOIN LATERAL (
        SELECT CASE settings.relations
            WHEN 'universal' THEN string_split(relation.text, ':')[1] ELSE relation.text
        END AS text
    ) AS short
),
-- A row: a word with its parts of speech, as files write them, and the new name of the universal one.
tagged AS (
    SELECT word.id, word.upos AS old, word.xpos,
        coalesce(json_extract_string(settings.pos_map, '$."' || word.upos || '"'), word.upos) AS new
    FROM _store.word
    CROSS JOIN _store.settings
),
-- A row: a name that tokens have, and how many.
met AS (
    SELECT 'relation' AS kind, relation.new AS name, count(*) AS tokens
    FROM _store.token JOIN relation ON relation.id = token.relation_id
    GROUP BY relation.new
    UNION ALL
    SELECT 'old relation', relation.old, count(*)
    FROM _store.token JOIN relation ON relation.id = token.relation_id
    GROUP BY relation.old
    UNION ALL
    SELECT 'part of speech', tagged.new, count(*)
    FROM _store.token JOIN tagged ON tagged.id = token.word_id
    GROUP BY tagged.new
    UNION ALL
    SELECT 'old part of speech', tagged.old, count(*)
    FROM _store.token JOIN tagged ON tagged.id = token.word_id
    GROUP BY tagged.old
),
there AS (
    SELECT kind, array_to_string(list(name ORDER BY tokens DESC, name)[:12], ', ') AS names
    FROM met
    GROUP BY kind
)
SELECT named.setting, named.name, replace(named.kind, 'old ', '') AS kind, there.names
FROM named
JOIN there ON there.kind = named.kind
ANTI JOIN met ON met.kind = named.kind AND met.name = named.name
ANTI JOIN tagged ON named.setting = 'pos_map' AND tagged.xpos = named.name
ORDER BY named.setting, named.name;
