-- One row: how many lexemes there are.
SELECT count(*) AS lexemes FROM _store.lexeme;
