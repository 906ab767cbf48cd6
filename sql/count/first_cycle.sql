-- One row: the first line of the chunk, counted from 0, whose word no root leads down to; no row where all is well.
SELECT word_line.line,
    'HEAD is ' || word_line.head || ', which leads round in a circle; heads lead up to a word whose HEAD is 0' AS problem
FROM word_line
ANTI JOIN packed ON packed.token = word_line.number
ORDER BY word_line.line
LIMIT 1;
