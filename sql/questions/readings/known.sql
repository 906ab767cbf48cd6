-- A row: one of $texts that is the text of a lexeme or the name of an entry.
SELECT text FROM _store.lexeme WHERE text IN (SELECT unnest($texts))
UNION
SELECT name FROM _store.entry WHERE name IN (SELECT unnest($texts));
