-- A row: what a word of a phrase brings to a feature that is drawn. The word's APT is moved to the phrase's root, and
-- on to where the phrase is seen from.
-- @query@: the APTs of the words, each as a phrase of its own, named by its number.
-- @back@: the path from the root's word to the anchor.
-- $drawn: what is drawn, as JSON: path, context.
WITH drawn AS (
    SELECT unnest(from_json($drawn, '[{"path": "VARCHAR", "context": "VARCHAR"}]'), max_depth := 2)
),
moved AS (
    SELECT phrase::BIGINT AS position, path_offset(path, @back@) AS path, context, weight FROM (@query@)
)
SELECT moved.position, moved.path, moved.context, moved.weight
FROM moved
SEMI JOIN drawn ON drawn.path = moved.path AND drawn.context = moved.context
ORDER BY moved.position ASC, moved.path ASC, moved.context ASC;
