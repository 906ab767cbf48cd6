-- A row: a part of speech of lexemes, and how many tokens have it.
SELECT pos, sum(frequency)::BIGINT AS tokens
FROM _store.lexeme
WHERE pos > ''
GROUP BY pos
ORDER BY tokens DESC, pos
