-- A row: a word line with the sentence that it belongs to by its position: its first word and its number of words, NULL
-- where the position is out of sequence.
CREATE OR REPLACE TEMP VIEW placed_word AS
SELECT word_line.number, word_line.position, word_line.head, span.first, span.last - span.first + 1 AS words
FROM word_line
LEFT JOIN sentence_span AS span
    ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last;
