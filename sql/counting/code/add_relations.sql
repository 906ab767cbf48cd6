-- Adds a row for each relation as written that the lexicon has not met, with the label that it is counted under; NULL
-- where such an edge is not counted.
INSERT INTO _store.relation (id, text, label)
WITH written AS (
    SELECT DISTINCT relation AS text,
        CASE WHEN getvariable('relations') = 'universal' THEN string_split(relation, ':')[1] ELSE relation END AS short
    FROM kept_word
    WHERE position IS NOT NULL
),
named AS (
    SELECT text, coalesce(getvariable('relation_map')[short], short) AS label
    FROM written
)
SELECT (SELECT coalesce(max(id), 0) FROM _store.relation) + row_number() OVER (ORDER BY text), text,
    CASE WHEN NOT list_contains(getvariable('exclude_relations'), label) THEN label END
FROM named
ANTI JOIN _store.relation USING (text);
