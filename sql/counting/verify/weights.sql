-- A row: a kept weight that differs from the definition of its weighting.
-- @id@: the weighting's id.
-- @name@: its name.
-- @scheme@: its scheme.
WITH kept AS (
    SELECT lexeme_id, feature_id, weight
    FROM _store.kept_weight
    WHERE weighting_id = @id@
),
defined AS (
    SELECT lexeme_id, feature_id, weight
    FROM _store.scheme_weights('_store.every_lexeme', @name@, @scheme@, _store.no_options())
),
differing AS (
    SELECT coalesce(kept.lexeme_id, defined.lexeme_id) AS lexeme_id,
        coalesce(kept.feature_id, defined.feature_id) AS feature_id, kept.weight AS found, defined.weight AS expected
    FROM kept
    FULL JOIN defined ON defined.lexeme_id = kept.lexeme_id AND defined.feature_id = kept.feature_id
    WHERE kept.weight IS NULL OR defined.weight IS NULL
        OR abs(kept.weight - defined.weight) > 1e-9 * greatest(1, abs(defined.weight))
)
SELECT 'weight' AS what, CASE
        WHEN feature.feature_id IS NULL THEN concat_ws(' ', lexeme.text, 'feature', differing.feature_id)
        ELSE concat_ws(' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text)
    END AS row,
    coalesce(differing.found::VARCHAR, 'none') AS found, coalesce(differing.expected::VARCHAR, 'none') AS expected
FROM differing
LEFT JOIN _store.feature ON feature.feature_id = differing.feature_id
LEFT JOIN _store.lexeme ON lexeme.id = differing.lexeme_id
LEFT JOIN _store.path ON path.id = feature.path_id
LEFT JOIN _store.lexeme AS context ON context.id = feature.context_id;
