-- Keeps those weights of a weighting whose contexts are of a range, in the order that serves ranking.
-- @id@: the weighting's id.
-- @name@: its name.
-- @scheme@: its scheme.
-- @first@: the first of the contexts, by id.
-- @last@: the last of them.
INSERT INTO _store.kept_weight (weighting_id, feature_id, lexeme_id, weight)
WITH met AS NOT MATERIALIZED (
    FROM _store.met_by_context(_store.part(@name@, _store.no_options()))
),
own_node AS NOT MATERIALIZED (
    FROM _store.node_in(_store.part(@name@, _store.no_options()))
)
SELECT @id@, feature_id, lexeme_id, weight
FROM _store.weighed_of('met', 'own_node', false, @name@, @scheme@, _store.no_options())
WHERE context_id BETWEEN @first@ AND @last@
ORDER BY feature_id, lexeme_id;
