-- A row: a place in the chunk where a document begins, and its name: what its comment says or, where that says nothing,
-- the name of the corpus with its number among those that begin in it. At the beginning of the chunk the last one of
-- the chunk before goes on; at that of a corpus it is one called like the corpus.
CREATE OR REPLACE TEMP TABLE document_start AS
SELECT -1 AS line, 0 AS next_word, getvariable('open_document') AS name
UNION ALL
SELECT line, next_word, CASE
    WHEN value IS NULL THEN concat_ws(
        '#', getvariable('corpus_name'), getvariable('documents_begun') + row_number() OVER (ORDER BY line)
    )
    WHEN starts_with(value, getvariable('corpus_name') || '#')
        AND regexp_full_match(value[length(getvariable('corpus_name')) + 2:], '[0-9]+')
    THEN error(
        'a document of ' || getvariable('corpus_name') || ' is called ' || value || ', as those are that have no name; '
        || 'give the corpus another name'
    )
    ELSE value
END
FROM comment
WHERE regexp_full_match(name, 'newdoc(\s+id)?');

-- A row: a sentence of the chunk, by its number, and the name of its document.
CREATE OR REPLACE TEMP TABLE sentence_document AS
SELECT span.number, document.name
FROM sentence_span AS span
ASOF JOIN (
    SELECT next_word, arg_max(name, line) AS name FROM document_start GROUP BY next_word
) AS document ON span.first >= document.next_word;
