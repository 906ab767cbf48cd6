-- A row: one of the lexemes named that has a weight, or an entry of such a name.
-- @source@: the weights.
SELECT DISTINCT weighed.lexeme
FROM @source@ AS weighed
WHERE weighed.lexeme IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')))
UNION ALL
SELECT entries.entry
FROM entries
WHERE entries.state <> 'hidden' AND entries.entry IN (SELECT unnest(from_json($lexemes, '["VARCHAR"]')));
