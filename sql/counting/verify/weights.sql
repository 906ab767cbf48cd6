-- A row: a kept weight of the weighting $name that differs from the definition of the weighting.
WITH kept AS (
    SELECT lexeme_id, path_id, context_id, weight, feature_id
    FROM _store.kept_weight
    WHERE weighting_id = $id
),
defined AS (
    SELECT lexeme_id, path_id, context_id, weight, feature_id
    FROM _store.scheme_weights('_store.every_lexeme', $name, $scheme, _store.no_options())
)
SELECT 'weight' AS what, concat_ws(
        ' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text
    ) AS row,
    CASE
        WHEN kept.feature_id <> defined.feature_id THEN kept.weight || ' of feature ' || kept.feature_id
        ELSE coalesce(kept.weight::VARCHAR, 'none')
    END AS found,
    CASE
        WHEN kept.feature_id <> defined.feature_id THEN defined.weight || ' of feature ' || defined.feature_id
        ELSE coalesce(defined.weight::VARCHAR, 'none')
    END AS expected
FROM kept
FULL JOIN defined
    ON defined.lexeme_id = kept.lexeme_id AND defined.path_id = kept.path_id AND defined.context_id = kept.context_id
LEFT JOIN _store.lexeme ON lexeme.id = coalesce(kept.lexeme_id, defined.lexeme_id)
LEFT JOIN _store.path ON path.id = coalesce(kept.path_id, defined.path_id)
LEFT JOIN _store.lexeme AS context ON context.id = coalesce(kept.context_id, defined.context_id)
WHERE kept.weight IS NULL OR defined.weight IS NULL OR kept.feature_id <> defined.feature_id
    OR abs(kept.weight - defined.weight) > 1e-9 * greatest(1, abs(defined.weight));
