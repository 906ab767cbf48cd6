-- One row: the first line of the chunk, counted from 0, whose word no root leads down to; no row where all is well.
SELECT cut_line.number AS line,
    'HEAD is ' || token.head || ', which leads round in a circle; heads lead up to a word whose HEAD is 0' AS problem
FROM token
ANTI JOIN packed ON packed.token = token.number
JOIN cut_line ON cut_line.word = token.number
ORDER BY line
LIMIT 1;
