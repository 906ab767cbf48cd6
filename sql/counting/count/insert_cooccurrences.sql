-- Fills the counts of a lexicon that has none, in the order that makes them their own index.
INSERT INTO _store.cooccurrence (lexeme_id, path_id, context_id, count)
SELECT lexeme_id, path_id, context_id, count
FROM added
ORDER BY lexeme_id, path_id, context_id;
