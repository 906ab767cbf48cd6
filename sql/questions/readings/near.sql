-- A row: a lexeme that is spelt nearly like a typed $word, the likeliest first.
SELECT text FROM _store.near_lexeme($word, NULL) ORDER BY rank LIMIT 5;
