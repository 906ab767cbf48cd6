-- Keeps the weights of the weighting $name, in the order that serves ranking.
INSERT INTO _store.kept_weight (weighting_id, feature_id, lexeme_id, path_id, context_id, weight)
SELECT $id, feature_id, lexeme_id, path_id, context_id, weight
FROM _store.scheme_weights(
    '_store.every_lexeme', $name, $scheme, _store.no_options()
)
ORDER BY feature_id, lexeme_id;
