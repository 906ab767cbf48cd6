-- A row: how many tokens of a lexeme a packed node holds. Tokens that are left out are no row, and their node stays.
CREATE OR REPLACE TEMP TABLE node_lexeme AS
SELECT node, lexeme_id, count(*)::INTEGER AS tokens
FROM packed
WHERE lexeme_id IS NOT NULL
GROUP BY node, lexeme_id;
