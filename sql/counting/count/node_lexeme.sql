-- A row: how many tokens of a lexeme a packed node holds. Tokens that are left out are no row, and their node stays.
CREATE OR REPLACE TEMP TABLE node_lexeme AS
SELECT packed.node, word.lexeme_id, count(*)::INTEGER AS tokens
FROM packed
JOIN _store.word ON word.id = packed.word_id
WHERE word.lexeme_id IS NOT NULL
GROUP BY packed.node, word.lexeme_id;
