-- A row: a way that pairs of nodes take, numbered, with its text as a path and that of its inverse.
CREATE OR REPLACE TEMP TABLE path_code AS
WITH RECURSIVE code AS (
    SELECT DISTINCT up, down FROM node_pair
),
-- A row: what is left of a way up when its last steps have been read off, and the two texts of those read.
reading (labels, rest, ups, downs) AS (
    SELECT labels, labels, '', ''
    FROM (SELECT up AS labels FROM code UNION SELECT down FROM code)
    UNION ALL
    SELECT reading.labels, reading.rest // getvariable('base'), '<' || label.text || reading.ups,
        reading.downs || '>' || label.text
    FROM reading
    JOIN label ON label.id = reading.rest % getvariable('base')
    WHERE reading.rest > 0
),
way AS (
    SELECT labels, ups, downs FROM reading WHERE rest = 0
)
SELECT code.up, code.down, up_way.ups || down_way.downs AS path, down_way.ups || up_way.downs AS inverse
FROM code
JOIN way AS up_way ON up_way.labels = code.up
JOIN way AS down_way ON down_way.labels = code.down;
