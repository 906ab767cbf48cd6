-- Adds a row for each sentence of the chunk, with the sent_id of the comments right before it.
INSERT INTO _store.sentence (id, corpus_id, sent_id)
WITH sent_id AS (
    SELECT word_line.number AS first, arg_max(comment.sent_id, comment.line) AS sent_id
    FROM (
        SELECT number AS line, regexp_extract(fields[1], '^#\s*sent_id\s*=\s*(.*?)\s*$', 1) AS sent_id
        FROM line
        WHERE starts_with(fields[1], '#') AND regexp_matches(fields[1], '^#\s*sent_id\s*=')
    ) AS comment
    ASOF JOIN word_line ON word_line.line > comment.line
    GROUP BY word_line.number
)
SELECT getvariable('sentences_before') + sentence_span.number, getvariable('corpus_id'), sent_id.sent_id
FROM sentence_span
LEFT JOIN sent_id ON sent_id.first = sentence_span.first
ORDER BY sentence_span.number;
