-- A row: a part of speech, with its lexemes, their tokens, and its three most frequent ones.
SELECT pos AS "part of speech", count(*) AS lexemes, sum(frequency)::BIGINT AS tokens,
    array_to_string(list(lexeme ORDER BY frequency DESC, lexeme)[:3], ', ') AS "most frequent"
FROM lexemes
GROUP BY pos
ORDER BY tokens DESC, pos
LIMIT 30;
