-- A row: the weight of one co-occurrence under a built-in scheme, or under a weighting that has a name, as text.
CREATE OR REPLACE MACRO _store.weights_as_text(weights, options, stamp, given) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, weight.weight
    FROM _store.known_weights('_store.every_lexeme', weights, _store.scheme(weights), options) AS weight
    JOIN _store.lexeme ON lexeme.id = weight.lexeme_id
    JOIN _store.path ON path.id = weight.path_id
    JOIN _store.lexeme AS context ON context.id = weight.context_id
    WHERE (SELECT _store.guard(stamp) AND _store.check_given(weights, given))
        AND (SELECT _store.check_options(weights, options))
);
