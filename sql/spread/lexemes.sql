-- A row: a lexeme, its tokens and the sum of its counts.
SELECT lexeme_id, lexeme, frequency, cooccurrences
FROM numbered_lexeme;
