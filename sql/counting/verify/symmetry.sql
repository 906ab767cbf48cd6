-- A row: a co-occurrence that is counted otherwise from its other end, along the inverse path.
SELECT 'symmetry' AS what, concat_ws(' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text) AS row,
    own.count::VARCHAR AS found, coalesce(other.count, 0)::VARCHAR AS expected
FROM _store.cooccurrence AS own
JOIN _store.path ON path.id = own.path_id
LEFT JOIN _store.cooccurrence AS other
    ON other.lexeme_id = own.context_id AND other.path_id = path.inverse_id AND other.context_id = own.lexeme_id
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN _store.lexeme AS context ON context.id = own.context_id
WHERE own.count IS DISTINCT FROM other.count;
