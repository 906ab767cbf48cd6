-- One row: the counts and tokens of the corpus that the transaction sees and has merged; and the tokens of the folder.
SELECT (SELECT coalesce(sum(count), 0) FROM added) AS counts,
    (SELECT coalesce(sum(tokens), 0) FROM counted_lexeme) AS tokens,
    (SELECT sum(frequency) FROM folder_lexeme) AS expected;
