-- A row: a label that edges are counted under, by the first relation that has it.
CREATE OR REPLACE TEMP TABLE label AS
SELECT min(id) AS id, label AS text
FROM _store.relation
WHERE label IS NOT NULL
GROUP BY label;
