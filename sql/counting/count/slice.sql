-- A row: what the lexemes of a slice, from first_lexeme to last_lexeme, gain or lose.
CREATE OR REPLACE TEMP TABLE slice AS
FROM added
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme');
